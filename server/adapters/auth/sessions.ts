import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, gt, lte, sql } from 'drizzle-orm';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import type { Database, Queryable } from '#db/client.ts';
import { profiles, sessions, userRoles } from '#db/schema/people.ts';

// The one file that knows the library (it is retired upstream): replacing it touches nothing else.

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, UserAttributes>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}

type SessionAttributes = { absoluteExpiresAt: string; userAgent: string };
type UserAttributes = {
  email: string;
  firstName: string;
  lastName: string;
  version: number;
  deactivatedAt: string | null;
  /** As stored, the newest one; null where none was ever given. */
  role: string | null;
};

/** How long a session lives without use, and at most. */
export type Lifetime = { idleMs: number; absoluteMs: number };

export type NewSession = {
  /** For the cookie alone: the database holds only its hash. */
  token: string;
  id: string;
  expiresAt: string;
  absoluteExpiresAt: string;
};

/** A session with the person behind it as the database has them now. */
export type ValidSession = UserAttributes & { sessionId: string; userId: string; expiresAt: string };

/** Sessions by token. Times are the system's: a test that needs an old session makes the row old. */
export type Sessions = {
  /** Always a new token, so one that was planted before signing in is worth nothing. */
  create(userId: string, userAgent: string, lifetime: Lifetime, within?: Queryable): Promise<NewSession>;
  /**
   * One query. Slides the session when half of its idle time is gone.
   * Undefined for an unknown, ended or expired one, and for a person who was deactivated.
   */
  validate(token: string): Promise<ValidSession | undefined>;
  /** Slides the session now. @returns when it ends unless it is used again */
  renew(sessionId: string, lifetime: Lifetime): Promise<string>;
  end(sessionId: string, within?: Queryable): Promise<void>;
  endAllForUser(userId: string, within?: Queryable): Promise<void>;
  list(userId: string): Promise<{ id: string; expiresAt: string; userAgent: string }[]>;
  /** Removes what has expired. */
  sweep(): Promise<void>;
};

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
const USER_AGENT_MAX = 400;

/** @param lifetimeOf how long the session of a person with this stored role may live */
export function createSessions(db: Database, lifetimeOf: (role: string | null) => Lifetime): Sessions {
  return {
    async create(userId, userAgent, lifetime, within = db) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const absoluteExpiresAt = new Date(Date.now() + lifetime.absoluteMs).toISOString();
      const session = await libraryOn(within, lifetime).createSession(
        userId,
        { absoluteExpiresAt, userAgent: userAgent.slice(0, USER_AGENT_MAX) },
        { sessionId: hashToken(token) },
      );
      const expiresAt = earlier(session.expiresAt.toISOString(), absoluteExpiresAt);
      return { token, id: session.id, expiresAt, absoluteExpiresAt };
    },

    async validate(token) {
      if (!TOKEN_PATTERN.test(token)) return undefined;
      const known = await read(db, hashToken(token));
      const [stored, person] = known;
      if (stored === null || person === null || person.attributes.deactivatedAt !== null) return undefined;
      const lifetime = lifetimeOf(person.attributes.role);
      const adapter = { ...adapterOn(db), getSessionAndUser: async () => known };
      const { session } = await library(adapter, lifetime).validateSession(stored.id);
      if (session === null) return undefined;
      const { absoluteExpiresAt } = stored.attributes;
      const expiresAt = earlier(session.expiresAt.toISOString(), absoluteExpiresAt);
      return { ...person.attributes, userId: person.id, sessionId: session.id, expiresAt };
    },

    renew: (sessionId, lifetime) => slide(db, sessionId, new Date(Date.now() + lifetime.idleMs)),
    end: (sessionId, within = db) => libraryOn(within).invalidateSession(sessionId),
    endAllForUser: (userId, within = db) => libraryOn(within).invalidateUserSessions(userId),
    sweep: () => libraryOn(db).deleteExpiredSessions(),

    async list(userId) {
      const found = await libraryOn(db).getUserSessions(userId);
      return found.map(({ id, expiresAt, userAgent }) => ({
        id,
        expiresAt: expiresAt.toISOString(),
        userAgent,
      }));
    },
  };
}

/** What the database knows a session by. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** ISO times of one length compare as texts. */
function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function libraryOn(db: Queryable, lifetime: Lifetime = { idleMs: 0, absoluteMs: 0 }) {
  return library(adapterOn(db), lifetime);
}

function library(adapter: Adapter, lifetime: Lifetime) {
  return new Lucia(adapter, {
    sessionExpiresIn: new TimeSpan(lifetime.idleMs, 'ms'),
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  });
}

async function read(db: Queryable, id: string): ReturnType<Adapter['getSessionAndUser']> {
  const newestRole = db
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(eq(userRoles.userId, profiles.id))
    .orderBy(desc(userRoles.assignedAt), desc(userRoles.id))
    .limit(1);
  const [row] = await db
    .select({
      userId: sessions.userId,
      expiresAt: sessions.expiresAt,
      absoluteExpiresAt: sessions.absoluteExpiresAt,
      userAgent: sessions.userAgent,
      email: profiles.email,
      firstName: profiles.firstName,
      lastName: profiles.lastName,
      version: profiles.version,
      deactivatedAt: profiles.deactivatedAt,
      role: sql<string | null>`(${newestRole})`,
    })
    .from(sessions)
    .innerJoin(profiles, eq(profiles.id, sessions.userId))
    .where(eq(sessions.id, id));
  if (row === undefined) return [null, null];
  const { userId, expiresAt, absoluteExpiresAt, userAgent, ...attributes } = row;
  return [
    { id, userId, expiresAt: new Date(expiresAt), attributes: { absoluteExpiresAt, userAgent } },
    { id: userId, attributes },
  ];
}

async function slide(db: Queryable, id: string, until: Date): Promise<string> {
  const [row] = await db
    .update(sessions)
    .set({
      expiresAt: sql`least(${until.toISOString()}::timestamptz, ${sessions.absoluteExpiresAt})`,
      lastSeenAt: new Date().toISOString(),
    })
    .where(eq(sessions.id, id))
    .returning({ expiresAt: sessions.expiresAt });
  // Ended meanwhile: over now.
  return row?.expiresAt ?? new Date().toISOString();
}

// The library's own adapter wants Date columns and knows no absolute end.
function adapterOn(db: Queryable): Adapter {
  return {
    getSessionAndUser: (id) => read(db, id),
    async setSession({ id, userId, expiresAt, attributes }) {
      const now = new Date().toISOString();
      await db.insert(sessions).values({
        ...attributes,
        id,
        userId,
        expiresAt: earlier(expiresAt.toISOString(), attributes.absoluteExpiresAt),
        createdAt: now,
        lastSeenAt: now,
      });
    },
    async updateSessionExpiration(id, expiresAt) {
      await slide(db, id, expiresAt);
    },
    async getUserSessions(userId) {
      const rows = await db
        .select()
        .from(sessions)
        .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date().toISOString())));
      return rows.map(({ id, expiresAt, absoluteExpiresAt, userAgent }) => ({
        id,
        userId,
        expiresAt: new Date(expiresAt),
        attributes: { absoluteExpiresAt, userAgent },
      }));
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
