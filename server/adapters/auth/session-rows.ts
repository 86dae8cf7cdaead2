import { type AnyColumn, desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { profiles, sessions, sessionTokens, userRoles } from '#db/schema/people.ts';
import { type Given, statement } from '#db/statement.ts';
import type { StoredToken } from './tokens.ts';

export type SessionAttributes = {
  createdAt: string;
  lastSeenAt: string;
  /** Null if an identity provider did not report when the person entered credentials there. */
  authenticatedAt: string | null;
  hasSecondFactor: boolean;
  userAgent: string;
  address: string;
};
export type UserAttributes = {
  email: string;
  firstName: string;
  lastName: string;
  version: number;
  deactivatedAt: string | null;
  /** The newest role as stored; null if none was ever assigned. */
  role: string | null;
};

/** A session with its person, as stored now. */
export type SessionWithPerson = {
  session: { id: string; userId: string; expiresAt: Date; attributes: SessionAttributes };
  person: { id: string; attributes: UserAttributes };
  /** Absent if the session was looked up by its id. */
  token?: StoredToken;
};

/** Query for the person's newest role, as stored. */
function newestRole(db: Queryable, userId: AnyColumn | string) {
  return db
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(eq(userRoles.userId, userId))
    .orderBy(desc(userRoles.assignedAt), desc(userRoles.id))
    .limit(1);
}

export async function roleOf(db: Queryable, userId: string): Promise<string | null> {
  const [row] = await newestRole(db, userId);
  return row?.role ?? null;
}

function columnsOf(db: Queryable) {
  return {
    id: sessions.id,
    userId: sessions.userId,
    expiresAt: sessions.expiresAt,
    createdAt: sessions.createdAt,
    lastSeenAt: sessions.lastSeenAt,
    authenticatedAt: sessions.authenticatedAt,
    hasSecondFactor: sessions.hasSecondFactor,
    userAgent: sessions.userAgent,
    address: sessions.address,
    email: profiles.email,
    firstName: profiles.firstName,
    lastName: profiles.lastName,
    version: profiles.version,
    deactivatedAt: profiles.deactivatedAt,
    role: sql<string | null>`(${newestRole(db, profiles.id)})`,
  };
}

const selectByToken = statement((db, given: Given<{ hash: string }>) =>
  db
    .select({ token: sessionTokens, known: columnsOf(db) })
    .from(sessionTokens)
    .innerJoin(sessions, eq(sessions.id, sessionTokens.sessionId))
    .innerJoin(profiles, eq(profiles.id, sessions.userId))
    .where(eq(sessionTokens.hash, given.hash)),
);

export async function readByToken(db: Queryable, hash: string): Promise<SessionWithPerson | undefined> {
  const [row] = await selectByToken(db, { hash });
  return row && { ...toKnown(row.known), token: row.token };
}

const selectById = statement((db, given: Given<{ id: string }>) =>
  db
    .select(columnsOf(db))
    .from(sessions)
    .innerJoin(profiles, eq(profiles.id, sessions.userId))
    .where(eq(sessions.id, given.id)),
);

export async function readById(db: Queryable, id: string): Promise<SessionWithPerson | undefined> {
  const [row] = await selectById(db, { id });
  return row && toKnown(row);
}

function toKnown({
  id,
  userId,
  expiresAt,
  createdAt,
  lastSeenAt,
  authenticatedAt,
  hasSecondFactor,
  userAgent,
  address,
  ...attributes
}: UserAttributes &
  SessionAttributes & { id: string; userId: string; expiresAt: string }): SessionWithPerson {
  const own = { createdAt, lastSeenAt, authenticatedAt, hasSecondFactor, userAgent, address };
  return {
    session: { id, userId, expiresAt: new Date(expiresAt), attributes: own },
    person: { id: userId, attributes },
  };
}
