import { and, count, desc, eq, inArray, lt, ne } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { passkeySessions, passkeys } from '#db/schema/passkeys.ts';
import { credentials, sessions } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import { type NewCredential, type RelyingParty, relyingPartyOf } from '../adapters/auth/passkeys.ts';
import type { Services } from '../kernel/context.ts';
import { isPasswordDisabledFor } from '../kernel/sign-in/sign-in.ts';

export type StoredPasskey = typeof passkeys.$inferSelect;

/**
 * Returns the relying party of the page that has sent a command.
 * @throws AppError `forbidden` if the page's host is an IP address, for which there are no passkeys
 */
export function assertRelyingParty(origin: string | undefined): RelyingParty {
  const party = relyingPartyOf(origin);
  if (party === undefined) throw new AppError('forbidden', { message: passkeyMessages.notHere });
  return party;
}

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

/** Counts the passkeys of a person, for all hosts. */
export async function countPasskeys(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return row?.count ?? 0;
}

/**
 * Counts the passkeys that a person can use at a host.
 * @param rpId undefined for an address at which passkeys do not work
 */
export async function countPasskeysAt(
  db: Queryable,
  userId: string,
  rpId: string | undefined,
): Promise<number> {
  if (rpId === undefined) return 0;
  return db.$count(passkeys, and(eq(passkeys.userId, userId), eq(passkeys.rpId, rpId)));
}

/** Records that a session began with a passkey. */
export async function notePasskeySession(
  tx: Transaction,
  sessionId: string,
  passkeyId: string,
): Promise<void> {
  await tx.insert(passkeySessions).values({ sessionId, passkeyId });
}

/**
 * Ends the sessions that began with a passkey, other than the present one.
 * @returns the ids of the ended sessions
 */
export async function endSessionsOf(tx: Transaction, passkeyId: string, present: string): Promise<string[]> {
  const begun = tx
    .select({ id: passkeySessions.sessionId })
    .from(passkeySessions)
    .where(eq(passkeySessions.passkeyId, passkeyId));
  const ended = await tx
    .delete(sessions)
    .where(and(inArray(sessions.id, begun), ne(sessions.id, present)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}

/**
 * Removes all passkeys of a person.
 * @param tx has locked the account
 * @returns their names
 */
export async function removePasskeys(tx: Transaction, userId: string): Promise<string[]> {
  const removed = await tx
    .delete(passkeys)
    .where(eq(passkeys.userId, userId))
    .returning({ name: passkeys.name });
  return removed.map(({ name }) => name);
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
 * Records the use of a passkey.
 * @param counter the signature counter of this use; a counter that has not increased indicates a copied authenticator
 * @returns false if the passkey has been removed, or if another use has stored this counter or a higher one
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
 * Whether a person may sign in with a passkey: only if they have a password, and passwords are not switched off for them.
 * Otherwise a passkey would bypass the organisation's provider.
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
