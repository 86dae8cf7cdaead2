import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { profiles, sessions, userRoles } from '#db/schema/people.ts';
import type { RoleEntry, SessionInfo } from '#shared/features/users/users.ts';

/** Lists every role that a person was given, newest first. */
export function listRoles(db: Queryable, userId: string): Promise<RoleEntry[]> {
  return db
    .select({
      id: userRoles.id,
      role: userRoles.role,
      assignedAt: userRoles.assignedAt,
      by: sql<string | null>`${profiles.firstName} || ' ' || ${profiles.lastName}`,
    })
    .from(userRoles)
    .leftJoin(profiles, eq(profiles.id, userRoles.assignedBy))
    .where(eq(userRoles.userId, userId))
    .orderBy(desc(userRoles.assignedAt), desc(userRoles.id))
    .limit(200);
}

/** Lists the sessions of a person, most recently used first. */
export async function listSessions(
  db: Queryable,
  userId: string,
  ownSessionId: string,
  now: Date,
): Promise<SessionInfo[]> {
  const rows = await db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      address: sessions.address,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now.toISOString())))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(100);
  return rows.map((row) => ({ ...row, current: row.id === ownSessionId }));
}
