import { createHash, createHmac, randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#db/client.ts';
import { sessions, sessionTokens } from '#db/schema/people.ts';

// A session keeps its id while its token changes. A token that was replaced because the role changed stays valid until its
// successor is used, because the response with the successor may be lost, and for one more minute, for calls in progress. All
// calls with the old token get the same successor: it is derived from the old token and a random key. So the successor need not
// be stored, and responses that arrive out of order leave the same cookie. The minute is measured by the server's clock, which is
// the same in all processes of a database. A replaced token that is used after its minute must have been copied. The server
// cannot distinguish the owner from the thief, so the session ends for both.

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** End of the grace period for calls in progress with a replaced token. */
const graceEnd = (nowMs: number) => new Date(nowMs + 60_000).toISOString();

/** A token as stored: its hash. */
export type StoredToken = typeof sessionTokens.$inferSelect;

/** Returns whether a token's grace period has passed. */
export function isPast({ goodUntil }: StoredToken, nowMs: number): boolean {
  return goodUntil !== null && Date.parse(goodUntil) <= nowMs;
}

/** The hash of a token, as stored in the database. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Hashes a token; undefined if the text cannot be one. */
export function hashTokenIfValid(token: string): string | undefined {
  return TOKEN_PATTERN.test(token) ? hashToken(token) : undefined;
}

/**
 * Makes the first token of a session.
 * @param role the stored role that the token is made for
 */
export async function makeToken(db: Queryable, sessionId: string, role: string | null): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db.insert(sessionTokens).values({ hash: hashToken(token), sessionId, role, used: false });
  return token;
}

/**
 * Returns whether a replaced token was used after its grace period. Tokens replaced by a change of password have no
 * successor key and do not count.
 */
export function isReplay(token: StoredToken, nowMs: number): boolean {
  return isPast(token, nowMs) && token.successorKey !== null;
}

/** Returns whether a token has, or should get, a successor that has not been used yet. */
export function needsReplacement(
  { role, successorKey, goodUntil }: StoredToken,
  present: string | null,
): boolean {
  return goodUntil === null && (role !== present || successorKey !== null);
}

/**
 * Records the first use of a session's newest token: the client has received it, so the grace period of earlier ones
 * begins.
 */
export async function confirmToken(
  db: Database,
  { hash, sessionId, used, goodUntil }: StoredToken,
  nowMs: number,
): Promise<void> {
  if (used || goodUntil !== null) return;
  await db.transaction(async (tx) => {
    await lockSession(tx, sessionId);
    // Another call may have confirmed the token since it was read, and a successor may exist already.
    const [first] = await tx
      .update(sessionTokens)
      .set({ used: true })
      .where(
        and(eq(sessionTokens.hash, hash), eq(sessionTokens.used, false), isNull(sessionTokens.goodUntil)),
      )
      .returning({ hash: sessionTokens.hash });
    if (first === undefined) return;
    const others = and(eq(sessionTokens.sessionId, sessionId), ne(sessionTokens.hash, hash));
    await tx
      .update(sessionTokens)
      .set({ goodUntil: graceEnd(nowMs) })
      .where(and(others, isNotNull(sessionTokens.successorKey), isNull(sessionTokens.goodUntil)));
    // Tokens replaced by a change of password are valid only until their replacement is used.
    await tx
      .delete(sessionTokens)
      .where(and(others, isNull(sessionTokens.successorKey), isNotNull(sessionTokens.goodUntil)));
  });
}

/**
 * Returns the successor of a token, the same for all callers; undefined if the successor has been used already or the session
 * has ended.
 */
export async function createSuccessorToken(
  db: Database,
  token: string,
  { sessionId, role }: { sessionId: string; role: string | null },
): Promise<string | undefined> {
  const hash = hashToken(token);
  const own = randomBytes(TOKEN_BYTES).toString('base64url');
  return db.transaction(async (tx) => {
    // A concurrent call waits here and then finds the successor key of the first.
    await lockSession(tx, sessionId);
    const [stored] = await tx.select().from(sessionTokens).where(eq(sessionTokens.hash, hash));
    if (stored === undefined || stored.goodUntil !== null) return undefined;
    const successor = createHmac('sha256', stored.successorKey ?? own)
      .update(token)
      .digest('base64url');
    if (stored.successorKey === null) {
      await tx.update(sessionTokens).set({ successorKey: own }).where(eq(sessionTokens.hash, hash));
      await tx.insert(sessionTokens).values({ hash: hashToken(successor), sessionId, role, used: false });
    }
    return successor;
  });
}

/**
 * Makes a token after a change of password. It cannot be derived from earlier tokens, which stay valid until it is used, and
 * for at most a minute.
 */
export async function replaceTokens(
  tx: Queryable,
  sessionId: string,
  role: string | null,
  nowMs: number,
): Promise<string> {
  await lockSession(tx, sessionId);
  await tx
    .update(sessionTokens)
    .set({
      goodUntil: sql`least(${sessionTokens.goodUntil}, ${graceEnd(nowMs)}::timestamptz)`,
      successorKey: null,
    })
    .where(eq(sessionTokens.sessionId, sessionId));
  return makeToken(tx, sessionId, role);
}

/**
 * Deletes expired tokens left by a change of password. Others stay as long as their session, so that a late use is
 * recognised.
 */
export async function sweepTokens(db: Database, nowMs: number): Promise<void> {
  const past = lte(sessionTokens.goodUntil, new Date(nowMs).toISOString());
  await db.delete(sessionTokens).where(and(past, isNull(sessionTokens.successorKey)));
}

/** Locks the session before its tokens, so that concurrent changes cannot deadlock. */
async function lockSession(tx: Queryable, sessionId: string): Promise<void> {
  await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId)).for('no key update');
}
