import { randomBytes } from 'node:crypto';
import { type AnyColumn, eq, lte, sql } from 'drizzle-orm';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import type { Database, Queryable } from '#db/client.ts';
import { sessions } from '#db/schema/people.ts';
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
  isReplay,
  makeToken,
  needsReplacement,
  replaceTokens,
  sweepTokens,
} from './tokens.ts';

// The one file that knows the library (it is retired upstream): replacing it touches nothing else.

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, UserAttributes>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}

/** How long a session lives without use, and at most. Reckoned by the role that the person has now. */
export type Lifetime = { idleMs: number; absoluteMs: number };

export type NewSession = {
  /** For the cookie alone: the database holds only its hash. */
  token: string;
  id: string;
  expiresAt: string;
  absoluteExpiresAt: string;
};

/** A session with the person behind it as the database has them now. */
export type ValidSession = UserAttributes & {
  sessionId: string;
  userId: string;
  expiresAt: string;
  /** The token was made for another role: `renewToken` gives the next one. */
  tokenOutdated: boolean;
};

/** A token, and until when the session lives at most, ISO. */
export type NewToken = { token: string; absoluteExpiresAt: string };

/** Where a session is begun. */
export type SessionOrigin = { userAgent: string; address: string };

/** Sessions by token. Times are the system's: a test that needs an old session makes the row old. */
export type Sessions = {
  /** Always a new token, so one that was planted before signing in is worth nothing. */
  create(userId: string, from: SessionOrigin, lifetime: Lifetime, within?: Queryable): Promise<NewSession>;
  /**
   * One query. Both ends are reckoned by the present role. Slides the session when it was not used for a while.
   * Undefined for an unknown, ended or expired one, and for a person who was deactivated.
   */
  validate(token: string): Promise<ValidSession | undefined>;
  /** The same for a session that a socket was opened with: its token may have changed since. */
  validateById(sessionId: string): Promise<ValidSession | undefined>;
  /** The token that takes this one's place, the same for all that ask; undefined where there is none. */
  renewToken(token: string): Promise<NewToken | undefined>;
  /** A new token for a change of password. Undefined for a session that has ended. */
  replaceToken(sessionId: string, within: Queryable): Promise<NewToken | undefined>;
  /** Another role: the sessions of the person end when they would have ended with it from their start. */
  reckon(userId: string, lifetime: Lifetime, within: Queryable): Promise<void>;
  /** Slides the session now. @returns when it ends unless it is used again */
  renew(sessionId: string, lifetime: Lifetime): Promise<string>;
  end(sessionId: string, within?: Queryable): Promise<void>;
  endAllForUser(userId: string, within?: Queryable): Promise<void>;
  /** Removes what has expired. */
  sweep(): Promise<void>;
};

const SESSION_ID_BYTES = 16;
/** The last use is known as exactly as this: a new role's shorter time without use is reckoned from it. */
const SEEN_EVERY_MS = 15 * 60_000;

/** A session whose replaced token was used again, so a second party holds a copy. */
export type ReplayedSession = { sessionId: string; userId: string };

/**
 * @param lifetimeOf how long the session of a person with this stored role may live
 * @param onReplay ends a session whose replaced token came back after its time
 */
export function createSessions(
  db: Database,
  lifetimeOf: (role: string | null) => Lifetime,
  onReplay: (session: ReplayedSession) => Promise<void> = ({ sessionId }) =>
    libraryOn(db).invalidateSession(sessionId),
): Sessions {
  async function check(known: SessionWithPerson): Promise<ValidSession | undefined> {
    const { session: stored, person, token } = known;
    const now = Date.now();
    if (token?.over === true) {
      if (isReplay(token)) await onReplay({ sessionId: stored.id, userId: person.id });
      return undefined;
    }
    if (person.attributes.deactivatedAt !== null) return undefined;
    const { role } = person.attributes;
    const lifetime = lifetimeOf(role);
    const expiresAt = endOf(stored, lifetime);
    const adapter: Adapter = {
      ...adapterOn(db, lifetime),
      getSessionAndUser: async () => [
        { ...stored, expiresAt: new Date(expiresAt) },
        { id: person.id, attributes: person.attributes },
      ],
    };
    const { session } = await library(adapter, lifetime).validateSession(stored.id);
    if (session === null) return undefined;
    const seenMs = now - Date.parse(stored.attributes.lastSeenAt);
    const slid = seenMs > SEEN_EVERY_MS || session.fresh;
    if (token !== undefined) await confirmToken(db, token);
    return {
      ...person.attributes,
      userId: person.id,
      sessionId: session.id,
      expiresAt: slid ? await slide(db, session.id, lifetime) : expiresAt,
      tokenOutdated: token !== undefined && needsReplacement(token, role),
    };
  }

  return {
    async create(userId, { userAgent, address }, lifetime, within = db) {
      const now = new Date().toISOString();
      const session = await libraryOn(within, lifetime).createSession(
        userId,
        { createdAt: now, lastSeenAt: now, userAgent, address },
        { sessionId: randomBytes(SESSION_ID_BYTES).toString('base64url') },
      );
      const { id } = session;
      const token = await makeToken(within, id, await roleOf(within, userId));
      const absoluteExpiresAt = after(now, lifetime.absoluteMs);
      return {
        token,
        id,
        expiresAt: earlier(session.expiresAt.toISOString(), absoluteExpiresAt),
        absoluteExpiresAt,
      };
    },

    async validate(token) {
      const hash = hashTokenIfValid(token);
      const known = hash === undefined ? undefined : await readByToken(db, hash);
      return known && check(known);
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
      const token = await replaceTokens(within, sessionId, role);
      return { token, absoluteExpiresAt: lastEnd(known, lifetimeOf(role)) };
    },

    async reckon(userId, { idleMs, absoluteMs }, within) {
      const ends = sql`least(${sessions.expiresAt}, ${later(sessions.lastSeenAt, idleMs)}, ${later(sessions.createdAt, absoluteMs)})`;
      await within.update(sessions).set({ expiresAt: ends }).where(eq(sessions.userId, userId));
    },

    renew: (sessionId, lifetime) => slide(db, sessionId, lifetime),
    end: (sessionId, within = db) => libraryOn(within).invalidateSession(sessionId),
    endAllForUser: (userId, within = db) => libraryOn(within).invalidateUserSessions(userId),
    async sweep() {
      await libraryOn(db).deleteExpiredSessions();
      await sweepTokens(db);
    },
  };
}

/** The earliest of what is stored and what the present role allows. */
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

/** ISO times of one length compare as texts. */
function earlier(one: string, other: string): string {
  return one < other ? one : other;
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

/** Used now: it ends later, but not after what the role allows from its start. */
async function slide(db: Queryable, id: string, { idleMs, absoluteMs }: Lifetime): Promise<string> {
  const now = new Date().toISOString();
  const [row] = await db
    .update(sessions)
    .set({
      expiresAt: sql`least(${after(now, idleMs)}::timestamptz, ${later(sessions.createdAt, absoluteMs)})`,
      lastSeenAt: now,
    })
    .where(eq(sessions.id, id))
    .returning({ expiresAt: sessions.expiresAt });
  // Ended meanwhile: over now.
  return row?.expiresAt ?? now;
}

// The library's own adapter wants Date columns and knows no absolute end.
function adapterOn(db: Queryable, lifetime: Lifetime): Adapter {
  return {
    // Looked up before the library is asked, with what it does not know of.
    getSessionAndUser: async () => [null, null],
    getUserSessions: async () => [],
    async setSession({ id, userId, expiresAt, attributes }) {
      const absolute = after(attributes.createdAt, lifetime.absoluteMs);
      await db
        .insert(sessions)
        .values({ ...attributes, id, userId, expiresAt: earlier(expiresAt.toISOString(), absolute) });
    },
    async updateSessionExpiration() {
      // `check` slides the session itself, more often than the library would.
    },
    async deleteSession(id) {
      await db.delete(sessions).where(eq(sessions.id, id));
    },
    async deleteUserSessions(userId) {
      await db.delete(sessions).where(eq(sessions.userId, userId));
    },
    async deleteExpiredSessions() {
      await db.delete(sessions).where(lte(sessions.expiresAt, new Date().toISOString()));
    },
  };
}
