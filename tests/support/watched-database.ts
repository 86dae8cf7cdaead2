import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import type { Database } from '#db/client.ts';
import { schema } from '#db/schema/index.ts';
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
  const sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  let statements: { query: string; params: unknown[] }[] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => void statements.push({ query, params }) };
  return {
    sql,
    db: drizzle(sql, { schema, logger }),
    async plansOf(read) {
      statements = [];
      await read();
      const lines: string[] = [];
      for (const { query, params } of statements) {
        // The cast: the driver accepted the same parameters a moment ago.
        const plan = await sql.unsafe(`explain ${query}`, params as never[]);
        lines.push(...plan.map((line) => String(line['QUERY PLAN'])));
      }
      return lines.join('\n');
    },
    async drop() {
      await sql.end();
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
