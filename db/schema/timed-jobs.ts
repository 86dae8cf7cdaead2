import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** One row for each timed job: when it last ran, and the run that has its lease. */
export const timedJobs = pgTable('timed_jobs', {
  name: text('name').primaryKey(),
  /** The moment up to which the job has done its work, by the server's clock. */
  ranAt: instant('ran_at').notNull(),
  /** The run that has the job's lease, and the end of the lease by the database's clock; both null between runs. */
  runId: uuid('run_id'),
  leasedUntil: timestamp('leased_until', { withTimezone: true, mode: 'string' }),
});
