import type { Sql } from 'postgres';
import { z } from 'zod';
import { connect, type Database } from '#db/client.ts';
import { profiles, userLocationAccess } from '#db/schema/people.ts';
import { type Actor, rightsOf } from '#server/access/actor.ts';
import type { Role } from '#shared/permissions.ts';
import { createTestDatabase } from './database.ts';

/** A database that records the statements of reads, to explain their plans. */
export type WatchedDatabase = {
  /** The owner's login. */
  sql: Sql;
  db: Database;
  /** Returns the plans of every statement of a read, one after the other. */
  plansOf: (read: () => Promise<unknown>) => Promise<string>;
  /** Returns how many table rows the statements of a read looked at, including rows that did not match. */
  rowsReadBy: (read: () => Promise<unknown>) => Promise<number>;
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
    async rowsReadBy(read) {
      statements = [];
      await read();
      let rows = 0;
      for (const { query, params } of statements) {
        const [answer] = await unsafe(`explain (analyze, format json, timing off) ${query}`, params);
        const [{ Plan: plan }] = plansSchema.parse(answer?.['QUERY PLAN']);
        rows += rowsReadIn(plan);
      }
      return rows;
    },
    async drop() {
      await close();
      await database.drop();
    },
  };
}

type Plan = {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Rows Removed by Index Recheck'?: number | undefined;
  Plans?: Plan[] | undefined;
};
const planSchema: z.ZodType<Plan> = z.object({
  'Node Type': z.string(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
  'Rows Removed by Index Recheck': z.number().optional(),
  get Plans() {
    return z.array(planSchema).optional();
  },
});
const plansSchema = z.preprocess(
  (found) => (typeof found === 'string' ? JSON.parse(found) : found),
  z.tuple([z.object({ Plan: planSchema })]),
);

/** Postgres reports averages per loop. Bitmap index scans are not counted: the table scan reads the same rows again. */
function rowsReadIn(plan: Plan): number {
  const { 'Node Type': type, 'Actual Rows': rows, 'Actual Loops': loops, Plans: plans = [] } = plan;
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own =
    / Scan$/.test(type) && !/^(Bitmap Index|Subquery|CTE|Function) /.test(type) ? rows + removed : 0;
  return own * loops + plans.reduce((sum, below) => sum + rowsReadIn(below), 0);
}

export const READER = '018fd000-0000-7000-8000-000000000001';

/**
 * Creates a person who may see one in `oneIn` of the buildings.
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
    ...rightsOf(READER, role),
    accessVersion: 1,
    sessionId: '',
    sessionExpiresAt: at,
  });
}
