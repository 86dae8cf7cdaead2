import { and, count, desc, eq, lt } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { passkeys } from '#db/schema/passkeys.ts';
import { credentials } from '#db/schema/people.ts';
import type { NewCredential } from '../adapters/auth/passkeys.ts';
import type { Services } from '../kernel/context.ts';
import { isPasswordDisabledFor } from '../kernel/sign-in/sign-in.ts';

export type StoredPasskey = typeof passkeys.$inferSelect;

/** Finds a passkey by the id of its credential. */
export async function findPasskey(db: Queryable, credentialId: string): Promise<StoredPasskey | undefined> {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** Lists the passkeys of a person, newest first. */
export function listPasskeys(db: Queryable, userId: string): Promise<StoredPasskey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id));
}

/** Counts the passkeys of a person, whichever the host where they can be used. */
export async function countPasskeys(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return row?.count ?? 0;
}

/**
 * Stores a new passkey.
 * @param tx has locked the account
 * @returns false if the credential is stored already
 */
export async function addPasskey(
  tx: Transaction,
  { publicKey, counter, credentialId }: NewCredential,
  of: Pick<StoredPasskey, 'id' | 'userId' | 'transports' | 'rpId' | 'name' | 'createdAt'>,
): Promise<boolean> {
  const inserted = await tx
    .insert(passkeys)
    .values({ ...of, publicKey, counter, credentialId })
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  return inserted.length > 0;
}

/**
 * Notes the use of a passkey.
 * @param counter the signature counter of this use; one that has not risen shows a copied authenticator
 * @returns false if the passkey was removed, or used meanwhile with this counter or a later one
 */
export async function noteUse(
  tx: Transaction,
  { id, counter, at }: { id: string; counter: number; at: string },
): Promise<boolean> {
  const isRisen = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
  const noted = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: at })
    .where(and(eq(passkeys.id, id), isRisen))
    .returning({ id: passkeys.id });
  return noted.length > 0;
}

/**
 * Whether a person may sign in with a passkey: like with a password, only if they have one and passwords are not switched off
 * for them. Otherwise a passkey would be a way around the organisation's provider.
 */
export async function mayUsePasskey(
  db: Queryable,
  { signIn }: Pick<Services, 'signIn'>,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> {
  if (isPasswordDisabledFor(signIn, email)) return false;
  const [row] = await db
    .select({ userId: credentials.userId })
    .from(credentials)
    .where(eq(credentials.userId, userId));
  return row !== undefined;
}
