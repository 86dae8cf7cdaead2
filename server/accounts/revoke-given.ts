import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import type { Services } from '../kernel/context.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import { dropSeenLinks } from './account-links.ts';
import { revokeApiKeys } from './api-keys.ts';
import { switchOffWebhooks } from './webhooks.ts';

/**
 * Revokes what an administrator has given to others and that nobody has used yet (one-time links that the administrator knows,
 * and permissions to link an account), the administrator's keys of the API, and switches off their webhooks. For administrators who lose their role or are
 * deactivated.
 */
export async function revokeGiven(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  recording: Pick<EventWriter, 'record' | 'recordBulk'>,
  { administratorId, at }: { administratorId: string; at: string },
): Promise<void> {
  await dropSeenLinks(tx, services, administratorId);
  await revokeApiKeys(tx, recording, { createdBy: administratorId }, at);
  await switchOffWebhooks(tx, recording, { ownerId: administratorId }, { reason: 'access_ended', at });
  await tx
    .delete(externalIdentities)
    .where(and(eq(externalIdentities.allowedBy, administratorId), isNull(externalIdentities.subject)));
}
