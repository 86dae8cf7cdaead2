import { eq } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials, profiles } from '#db/schema/people.ts';

/** Locks the account's row and reads it, so that its password stays the same until the transaction ends. */
export async function lockAccount(
  tx: Transaction,
  userId: string,
): Promise<{ passwordHash: string | null; deactivatedAt: string | null }> {
  await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, userId)).for('no key update');
  // A separate statement, which sees changes that were committed during the wait for the lock.
  const [row] = await tx
    .select({ passwordHash: credentials.passwordHash, deactivatedAt: profiles.deactivatedAt })
    .from(profiles)
    .leftJoin(credentials, eq(credentials.userId, profiles.id))
    .where(eq(profiles.id, userId));
  if (row === undefined) throw new Error('people are never deleted');
  return row;
}
