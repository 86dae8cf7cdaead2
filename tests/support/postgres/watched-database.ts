import type { Sql } from 'postgres';
import { connect, type Database } from '#db/client.ts';
import { profiles, userLocationAccess } from '#db/schema/people.ts';
import type { Actor } from '#server/access/actor.ts';
import { permissionsOf, type Role } from '#shared/permissions.ts';
import { createTestDatabase } from './database.ts';

/** A database that records the statements of reads, to explain their plans. */
export type WatchedDatabase = {
  /** The owner's login. */
  sql: Sql;
  db: Database;
  /** Returns the plans of every statement of a read, one after the other. */
  plansOf: (read: () => Promise<unknown>) => Promise<string>;
  drop: () => Promise<void>;
};

export async function createWatchedDatabase(): Promise<WatchedDatabase> {
  const database = await createTestDatabase();
  const { db, sql, close } = connect(database.ownerUrl, { max: 1, statementTimeoutMs: 0 });
  const { unsafe } = sql;
  let statements: { query: string; params: never[] }[] = [];
  // Every statement of the query builder passes here.
  sql.unsafe = (query, params = [], options) => {
    // The cast: the driver accepts the same parameters again.
    statements.push({ query, params: params as never[] });
    return unsafe(query, params, options);
  };
  return {
    sql,
    db,
    async plansOf(read) {
      statements = [];
      await read();
      const lines: string[] = [];
      for (const { query, params } of statements) {
        const plan = await unsafe(`explain ${query}`, params);
        lines.push(...plan.map((line) => String(line['QUERY PLAN'])));
      }
      return lines.join('\n');
    },
    async drop() {
      await close();
      await database.drop();
    },
  };
}

export const READER = '018fd000-0000-7000-8000-000000000001';

/**
 * Creates a person who may see one in so many of the buildings.
 * @returns a function that makes the actor with a given role
 */
export async function createReader(
  { sql, db }: WatchedDatabase,
  buildings: readonly string[],
  options: { oneIn: number; now: Date },
): Promise<(role: Role) => Actor> {
  const at = options.now.toISOString();
  const name = { email: 'm@example.com', firstName: 'Sam', lastName: 'Taylor' };
  await db.insert(profiles).values({ id: READER, ...name, createdAt: at });
  const given = buildings.filter((_, index) => index % options.oneIn === 0);
  await db
    .insert(userLocationAccess)
    .values(given.map((buildingId) => ({ userId: READER, buildingId, grantedAt: at })));
  await sql`analyze`;
  return (role) => ({
    userId: READER,
    ...name,
    role,
    permissions: permissionsOf(role),
    accessVersion: 1,
    sessionId: '',
    sessionExpiresAt: at,
  });
}
