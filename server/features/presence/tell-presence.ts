import { AppError } from '#shared/errors.ts';
import type { TellPresenceInput } from '#shared/features/presence/presence.ts';
import { fullName } from '#shared/text/names.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { publishPresence } from '../../live/presence/presence.ts';
import { findPlace } from './presence.queries.ts';

/**
 * Tells everybody who may see a subject that a window of this person is at it, or has left (rule T8).
 * @throws AppError `not_found` if there is no such subject, or if this person may not be at it
 */
export async function tellPresence(
  { services, actor }: SignedInContext,
  { window, n, at }: TellPresenceInput,
): Promise<void> {
  const found = at === null ? null : await findPlace(services.db, actor, at);
  if (found === undefined) throw new AppError('not_found');
  const person = { id: actor.userId, name: fullName(actor) };
  await publishPresence(services.db, { window, n, person, at: found });
}
