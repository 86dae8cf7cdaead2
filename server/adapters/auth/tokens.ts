import { createHash, createHmac, randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#db/client.ts';
import { sessions, sessionTokens } from '#db/schema/people.ts';

// A session keeps its id while its token changes. A token that was replaced because of another role stays good until its
// successor has come back, because the answer that carried it may be lost, and for a minute after that, for calls that
// were under way. All calls with the old one get the same successor: it is derived from the old one and a key of its
// own, so it need not be stored, and answers that arrive in another order leave the same cookie. Minutes are counted by
// the database's clock: the server processes may have others. A token that comes back after its minute was kept by
// a second party. The server cannot tell which of the two is the owner, so the session ends for both.

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** For calls that are under way with a token that was replaced. */
const GRACE_END = sql`clock_timestamp() + interval '60 seconds'`;

/** A token as it is stored: only its hash. `over`: its minute of grace has passed. */
export type StoredToken = typeof sessionTokens.$inferSelect & { over: boolean };

export const isPast = sql<boolean>`coalesce(${sessionTokens.goodUntil} <= clock_timestamp(), false)`;

/** What the database knows a token by. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Undefined for a text that no token looks like. */
export function hashTokenIfValid(token: string): string | undefined {
  return TOKEN_PATTERN.test(token) ? hashToken(token) : undefined;
}

/** The first token of a session, which goes out with it. @param role as stored, for which it is made */
export async function makeToken(db: Queryable, sessionId: string, role: string | null): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db.insert(sessionTokens).values({ hash: hashToken(token), sessionId, role, used: false });
  return token;
}

/** Does it come back after its successor did, and after its minute? One that a change of password replaced has none. */
export function isReplay({ over, successorKey }: StoredToken): boolean {
  return over && successorKey !== null;
}

/** Is there, or should there be, another one in its place? Not for one whose successor has come back. */
export function needsReplacement(
  { role, successorKey, goodUntil }: StoredToken,
  present: string | null,
): boolean {
  return goodUntil === null && (role !== present || successorKey !== null);
}

/** The newest token of a session has come back for the first time: the client has it, and those before it end. */
export async function confirmToken(db: Database, { hash, sessionId, used, goodUntil }: StoredToken) {
  if (used || goodUntil !== null) return;
  await db.transaction(async (tx) => {
    await lockSession(tx, sessionId);
    // Another call may have confirmed it since it was read, and may have been given the next one.
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
      .set({ goodUntil: GRACE_END })
      .where(and(others, isNotNull(sessionTokens.successorKey), isNull(sessionTokens.goodUntil)));
    // Those that a change of password replaced are good for no longer than that. Its own successor is not among them.
    await tx
      .delete(sessionTokens)
      .where(and(others, isNull(sessionTokens.successorKey), isNotNull(sessionTokens.goodUntil)));
  });
}

/** The successor of a token, the same for everybody who asks; undefined where it has come back, or all is over. */
export async function createSuccessorToken(
  db: Database,
  token: string,
  { sessionId, role }: { sessionId: string; role: string | null },
): Promise<string | undefined> {
  const hash = hashToken(token);
  const own = randomBytes(TOKEN_BYTES).toString('base64url');
  return db.transaction(async (tx) => {
    // Of two calls at once the second waits here, and finds the key of the first.
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
 * After a change of password: a token that no other can be turned into. Those before it end as soon as it comes back,
 * and after a minute if it does not.
 */
export async function replaceTokens(tx: Queryable, sessionId: string, role: string | null): Promise<string> {
  await lockSession(tx, sessionId);
  await tx
    .update(sessionTokens)
    .set({ goodUntil: sql`least(${sessionTokens.goodUntil}, ${GRACE_END})`, successorKey: null })
    .where(eq(sessionTokens.sessionId, sessionId));
  return makeToken(tx, sessionId, role);
}

/** Removes what a change of password left. Others stay as long as their session, to be known when they come back. */
export async function sweepTokens(db: Database): Promise<void> {
  await db.delete(sessionTokens).where(and(isPast, isNull(sessionTokens.successorKey)));
}

/** Always before the tokens, so that no two changes of them wait for each other. */
async function lockSession(tx: Queryable, sessionId: string): Promise<void> {
  await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId)).for('no key update');
}
