import { randomBytes } from 'node:crypto';
import { type AnyColumn, and, eq, lte, sql } from 'drizzle-orm';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import type { Database, Queryable } from '#db/client.ts';
import { sessions } from '#db/schema/people.ts';
import { createRecentSessions, type ValidSession } from './recent-sessions.ts';
import {
  readById,
  readByToken,
  roleOf,
  type SessionAttributes,
  type SessionWithPerson,
  type UserAttributes,
} from './session-rows.ts';
import {
  confirmToken,
  createSuccessorToken,
  hashToken,
  hashTokenIfValid,
  isPast,
  isReplay,
  makeToken,
  needsReplacement,
  replaceTokens,
  sweepTokens,
} from './tokens.ts';

// Only this file uses the session library, whose author has retired it. So replacing the library changes no other file.

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, UserAttributes>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}

/** The lifetime of a session without use, and its lifetime in total. Both depend on the person's present role. */
export type Lifetime = { idleMs: number; absoluteMs: number };

export type NewSession = {
  /** For the cookie only: the database stores its hash. */
  token: string;
  id: string;
  expiresAt: string;
  absoluteExpiresAt: string;
};

/** A token, and the latest end of its session, ISO. */
export type NewToken = { token: string; absoluteExpiresAt: string };

/** The device and address from which a session begins. */
export type SessionOrigin = {
  userAgent: string;
  address: string;
  /**
   * When the person entered credentials, ISO; null if an identity provider did not report it. Absent: now.
   */
  authenticatedAt?: string | null | undefined;
  /** Whether the session begins with a second factor. */
  hasSecondFactor?: boolean | undefined;
};

/**
 * Sessions by token. Times come from the server's own clock, even if a test replaces `services.clock`: a test that needs
 * an old session changes its row.
 */
export type Sessions = {
  /** The present moment by the clock of sessions. */
  now(): Date;
  /** Always makes a new token, so that a token planted before sign-in is worthless. */
  create(userId: string, from: SessionOrigin, lifetime: Lifetime, within?: Queryable): Promise<NewSession>;
  /**
   * Validates with one query. Idle and absolute end follow from the present role. Extends the session if its last
   * recorded use is some time ago.
   * Undefined for an unknown, ended or expired session, for a deactivated person, and without a second factor that the
   * present role needs.
   */
  validate(token: string): Promise<ValidSession | undefined>;
  /**
   * The session of a token as this process last validated it, from memory. The query that answers the call must verify it
   * (`proof.ts`). Undefined if the token must be validated first.
   */
  recall(token: string): { session: ValidSession; tokenHash: string } | undefined;
  /** Like `validate`, for the session of a socket, whose token may have changed since the socket was opened. */
  validateById(sessionId: string): Promise<ValidSession | undefined>;
  /** Returns the token's successor, the same for all callers; undefined if there is none. */
  renewToken(token: string): Promise<NewToken | undefined>;
  /** Makes a new token after a change of password. Undefined if the session has ended. */
  replaceToken(sessionId: string, within: Queryable): Promise<NewToken | undefined>;
  /**
   * Shortens all sessions of the person to the lifetime of a new role, counted from their beginning and last use, and
   * deletes those without a second factor that the role needs.
   * @returns the ids of the deleted ones
   */
  reckon(userId: string, role: string, within: Queryable): Promise<string[]>;
  /**
   * Extends the session now.
   * @returns when it ends unless it is used again, ISO
   */
  renew(sessionId: string, lifetime: Lifetime): Promise<string>;
  /**
   * When the person last entered credentials in this session, ISO; null if that is not known. Undefined if the session has
   * ended.
   */
  lastAuthentication(sessionId: string): Promise<{ authenticatedAt: string | null } | undefined>;
  /**
   * Records that the session has a second factor from now on, and deletes the person's sessions without one.
   * @returns the ids of the deleted ones
   */
  noteSecondFactor(of: { userId: string; sessionId: string }, within: Queryable): Promise<string[]>;
  /**
   * Records that the person has entered credentials again.
   * @param at ISO; a time in the future counts as now, and a time before the recorded one changes nothing
   * @returns false if the session has ended
   */
  noteAuthentication(sessionId: string, at: string, within?: Queryable): Promise<boolean>;
  end(sessionId: string, within?: Queryable): Promise<void>;
  endAllForUser(userId: string, within?: Queryable): Promise<void>;
  /** Deletes expired sessions and tokens. */
  sweep(): Promise<void>;
};

const SESSION_ID_BYTES = 16;
/**
 * The last use is stored at most this often. After a change of role, a shorter idle time counts from the stored last use.
 */
export const SEEN_EVERY_MS = 15 * 60_000;

/** A session whose replaced token was used again, which means that a second party has a copy. */
export type ReplayedSession = { sessionId: string; userId: string };

/**
 * Creates the session store.
 * @param clock the server's own clock
 * @param lifetimeOf returns the lifetime for a stored role
 * @param needsSecondFactor whether a session of a person with this stored role is valid only if it began with a second factor
 * @param onReplay ends a session whose replaced token was used after its grace period
 */
export function createSessions(
  db: Database,
  clock: { now(): Date },
  lifetimeOf: (role: string | null) => Lifetime,
  needsSecondFactor: (role: string | null) => boolean,
  onReplay: (session: ReplayedSession) => Promise<void> = ({ sessionId }) =>
    libraryOn(db).invalidateSession(sessionId),
): Sessions {
  const nowMs = () => clock.now().getTime();
  const recent = createRecentSessions(nowMs);

  async function check(known: SessionWithPerson): Promise<ValidSession | undefined> {
    const { session: stored, person, token } = known;
    const now = nowMs();
    if (token !== undefined && isPast(token, now)) {
      if (isReplay(token, now)) await onReplay({ sessionId: stored.id, userId: person.id });
      return undefined;
    }
    if (person.attributes.deactivatedAt !== null) return undefined;
    const { role } = person.attributes;
    if (needsSecondFactor(role) && !stored.attributes.hasSecondFactor) return undefined;
    const lifetime = lifetimeOf(role);
    const expiresAt = endOf(stored, lifetime);
    const adapter: Adapter = {
      ...adapterOn(db, lifetime),
      getSessionAndUser: async () => [
        // The library compares the end with the machine's clock, so the end is shifted by the difference between the clocks.
        { ...stored, expiresAt: new Date(Date.parse(expiresAt) + Date.now() - now) },
        { id: person.id, attributes: person.attributes },
      ],
    };
    const { session } = await library(adapter, lifetime).validateSession(stored.id);
    if (session === null) return undefined;
    const seenMs = now - Date.parse(stored.attributes.lastSeenAt);
    const slid = seenMs > SEEN_EVERY_MS || session.fresh;
    if (token !== undefined) await confirmToken(db, token, now);
    const valid = {
      ...person.attributes,
      userId: person.id,
      sessionId: session.id,
      expiresAt: slid ? await slide(db, session.id, lifetime, now) : expiresAt,
      tokenOutdated: token !== undefined && needsReplacement(token, role),
    };
    if (token !== undefined && token.goodUntil === null && !valid.tokenOutdated) {
      // The session is used from memory until its next use must be stored.
      const untilMs = (slid ? now : Date.parse(stored.attributes.lastSeenAt)) + SEEN_EVERY_MS;
      recent.set(token.hash, valid, Math.min(untilMs, Date.parse(valid.expiresAt)));
    }
    return valid;
  }

  return {
    now: () => clock.now(),
    async create(
      userId,
      { userAgent, address, authenticatedAt, hasSecondFactor = false },
      lifetime,
      within = db,
    ) {
      const now = clock.now().toISOString();
      const { id } = await libraryOn(within, lifetime).createSession(
        userId,
        {
          createdAt: now,
          lastSeenAt: now,
          authenticatedAt:
            authenticatedAt === undefined ? now : authenticatedAt && earlier(authenticatedAt, now),
          hasSecondFactor,
          userAgent,
          address,
        },
        { sessionId: randomBytes(SESSION_ID_BYTES).toString('base64url') },
      );
      const token = await makeToken(within, id, await roleOf(within, userId));
      const absoluteExpiresAt = after(now, lifetime.absoluteMs);
      return {
        token,
        id,
        expiresAt: earlier(after(now, lifetime.idleMs), absoluteExpiresAt),
        absoluteExpiresAt,
      };
    },

    async validate(token) {
      const hash = hashTokenIfValid(token);
      if (hash === undefined) return undefined;
      recent.delete(hash);
      const known = await readByToken(db, hash);
      return known && check(known);
    },

    recall(token) {
      const tokenHash = hashTokenIfValid(token);
      const session = tokenHash === undefined ? undefined : recent.get(tokenHash);
      return tokenHash === undefined || session === undefined ? undefined : { session, tokenHash };
    },

    async validateById(sessionId) {
      const known = await readById(db, sessionId);
      return known && check(known);
    },

    async renewToken(token) {
      const known = await readByToken(db, hashToken(token));
      if (known === undefined) return undefined;
      const { role } = known.person.attributes;
      const successor = await createSuccessorToken(db, token, { sessionId: known.session.id, role });
      return successor === undefined
        ? undefined
        : { token: successor, absoluteExpiresAt: lastEnd(known, lifetimeOf(role)) };
    },

    async replaceToken(sessionId, within) {
      const known = await readById(within, sessionId);
      if (known === undefined) return undefined;
      const { role } = known.person.attributes;
      const token = await replaceTokens(within, sessionId, role, nowMs());
      return { token, absoluteExpiresAt: lastEnd(known, lifetimeOf(role)) };
    },

    async reckon(userId, role, within) {
      const { idleMs, absoluteMs } = lifetimeOf(role);
      const ends = sql`least(${sessions.expiresAt}, ${later(sessions.lastSeenAt, idleMs)}, ${later(sessions.createdAt, absoluteMs)})`;
      await within.update(sessions).set({ expiresAt: ends }).where(eq(sessions.userId, userId));
      return needsSecondFactor(role) ? endWithoutSecondFactor(within, userId) : [];
    },

    renew: (sessionId, lifetime) => slide(db, sessionId, lifetime, nowMs()),
    async lastAuthentication(sessionId) {
      const [row] = await db
        .select({ authenticatedAt: sessions.authenticatedAt })
        .from(sessions)
        .where(eq(sessions.id, sessionId));
      return row;
    },
    async noteAuthentication(sessionId, at, within = db) {
      const now = clock.now().toISOString();
      // A recorded time in the future, from before the clock was corrected, is replaced.
      const known = sql`least(${sessions.authenticatedAt}, ${now}::timestamptz)`;
      const noted = await within
        .update(sessions)
        .set({ authenticatedAt: sql`greatest(${known}, ${earlier(at, now)}::timestamptz)` })
        .where(eq(sessions.id, sessionId))
        .returning({ id: sessions.id });
      return noted.length > 0;
    },
    async noteSecondFactor({ userId, sessionId }, within) {
      await within.update(sessions).set({ hasSecondFactor: true }).where(eq(sessions.id, sessionId));
      return endWithoutSecondFactor(within, userId);
    },
    end: (sessionId, within = db) => libraryOn(within).invalidateSession(sessionId),
    endAllForUser: (userId, within = db) => libraryOn(within).invalidateUserSessions(userId),
    async sweep() {
      await db.delete(sessions).where(lte(sessions.expiresAt, clock.now().toISOString()));
      await sweepTokens(db, nowMs());
    },
  };
}

/** The earliest of the stored end and the ends that the present role allows. */
function endOf(
  { expiresAt, attributes }: SessionWithPerson['session'],
  { idleMs, absoluteMs }: Lifetime,
): string {
  const { createdAt, lastSeenAt } = attributes;
  return earlier(expiresAt.toISOString(), earlier(after(lastSeenAt, idleMs), after(createdAt, absoluteMs)));
}

function lastEnd({ session }: SessionWithPerson, { absoluteMs }: Lifetime): string {
  return after(session.attributes.createdAt, absoluteMs);
}

function after(iso: string, ms: number): string {
  return new Date(Date.parse(iso) + ms).toISOString();
}

function later(column: AnyColumn, ms: number) {
  return sql`${column} + make_interval(secs => ${ms / 1_000})`;
}

/** ISO times of equal length compare as text. */
function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

async function endWithoutSecondFactor(within: Queryable, userId: string): Promise<string[]> {
  const ended = await within
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.hasSecondFactor, false)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}

function libraryOn(db: Queryable, lifetime: Lifetime = { idleMs: 0, absoluteMs: 0 }) {
  return library(adapterOn(db, lifetime), lifetime);
}

function library(adapter: Adapter, lifetime: Lifetime) {
  return new Lucia(adapter, {
    sessionExpiresIn: new TimeSpan(lifetime.idleMs, 'ms'),
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  });
}

/** Extends a session after use, but not beyond the absolute end of the role. */
async function slide(
  db: Queryable,
  id: string,
  { idleMs, absoluteMs }: Lifetime,
  nowMs: number,
): Promise<string> {
  const now = new Date(nowMs).toISOString();
  const [row] = await db
    .update(sessions)
    .set({
      expiresAt: sql`least(${after(now, idleMs)}::timestamptz, ${later(sessions.createdAt, absoluteMs)})`,
      lastSeenAt: now,
    })
    .where(eq(sessions.id, id))
    .returning({ expiresAt: sessions.expiresAt });
  // No row: the session was ended in the meantime.
  return row?.expiresAt ?? now;
}

// Replaces the library's own adapter, which needs Date columns and has no absolute end.
function adapterOn(db: Queryable, lifetime: Lifetime): Adapter {
  return {
    // The session was read before, with columns that the library does not know.
    getSessionAndUser: async () => [null, null],
    getUserSessions: async () => [],
    async setSession({ id, userId, attributes }) {
      const { createdAt } = attributes;
      // Not the end that the library has computed, because that follows the machine's clock.
      const expiresAt = earlier(after(createdAt, lifetime.idleMs), after(createdAt, lifetime.absoluteMs));
      await db.insert(sessions).values({ ...attributes, id, userId, expiresAt });
    },
    async updateSessionExpiration() {
      // `check` extends the session itself, more often than the library would.
    },
    async deleteSession(id) {
      await db.delete(sessions).where(eq(sessions.id, id));
    },
    async deleteUserSessions(userId) {
      await db.delete(sessions).where(eq(sessions.userId, userId));
    },
    async deleteExpiredSessions() {
      // `sweep` deletes them by the server's clock.
    },
  };
}
