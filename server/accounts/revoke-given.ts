import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import type { Services } from '../kernel/context.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import { dropSeenLinks } from './account-links.ts';
import { revokeApiKeys } from './api-keys.ts';
import { switchOffWebhooks } from './webhooks.ts';

/**
 * For an administrator who loses the role or is deactivated: revokes the access that they have given to others and that is not
 * used yet (one-time links whose secrets they know, and permissions to link an account), revokes their API keys, and switches
 * off their webhooks.
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
