import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** One row for each timed job: when it last ran, and the run that holds it. */
export const timedJobs = pgTable('timed_jobs', {
  name: text('name').primaryKey(),
  /** The moment up to which the job has done its work, by the server's clock. */
  ranAt: instant('ran_at').notNull(),
  /** The run that holds the job, and the end of its lease by the database's clock; both null between runs. */
  runId: uuid('run_id'),
  leasedUntil: timestamp('leased_until', { withTimezone: true, mode: 'string' }),
});
