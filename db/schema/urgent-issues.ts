import { type SQL, sql } from 'drizzle-orm';

// SQL fragments that select and order the issues shown by displays. The indexes of the table and the queries share them,
// because Postgres uses a partial index only for a query with the same condition and order. Column names have no table, and
// values are constants, because the definition of an index requires both.

/** The condition of `isUrgent` (`#shared/features/displays/wall.ts`). */
export const isUrgentIssue: SQL = sql.raw(
  `"status" in ('open', 'in_progress') and "priority" in ('critical', 'high')`,
);

/** The condition of `isUrgent` and `isUnanswered`. */
export const isUnansweredIssue: SQL = sql.raw(
  `"status" in ('open', 'in_progress') and "priority" = 'critical' and "responded_at" is null and "acknowledged_at" is null`,
);

/** The order of `compareUrgent`: critical before high, then by `nextDueAt`, then the newest first. */
export const urgentOrder: readonly [SQL, SQL, SQL, SQL] = [
  sql.raw(`"priority" collate "C"`),
  sql.raw(`(case when "paused_at" is not null then null
      when "responded_at" is not null or "respond_due_at" is null then "resolve_due_at"
      else least("resolve_due_at", "respond_due_at") end)`),
  sql.raw(`"created_at" desc`),
  sql.raw(`"id" desc`),
];
