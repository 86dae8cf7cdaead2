import type { PresentInput } from '#shared/features/issues.ts';
import { fullName } from '#shared/names.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { publishPresence } from '../../live/presence.ts';
import { getIssue } from './issues.queries.ts';

/** Announces to those who may see an issue that a window of this person has it open, or closed it (rule T8). */
export async function setPresence(ctx: SignedInContext, { id, window, here }: PresentInput): Promise<void> {
  const { services, actor } = ctx;
  const issue = await getIssue(services.db, actor, id);
  await publishPresence(services.db, {
    entity: 'issue',
    entityId: issue.id,
    window,
    person: { id: actor.userId, name: fullName(actor) },
    here,
    audience: { permission: 'view_building_issues', buildings: [issue.buildingId] },
  });
}
