import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import type { Services } from '../kernel/context.ts';
import { dropSeenLinks } from './account-links.ts';

/**
 * Revokes what an administrator has given to others and that nobody has used yet: one-time links that the administrator knows,
 * and permissions to link an account. For administrators who lose their role or are deactivated.
 */
export async function revokeGiven(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  administratorId: string,
): Promise<void> {
  await dropSeenLinks(tx, services, administratorId);
  await tx
    .delete(externalIdentities)
    .where(and(eq(externalIdentities.allowedBy, administratorId), isNull(externalIdentities.subject)));
}
