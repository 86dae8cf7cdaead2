import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { BACKUP_RUN_KINDS } from '#shared/features/backups/backups.ts';
import { id, instant } from './columns.ts';

/** Finished backup and verification runs. A run whose process was killed has no row. */
export const backupRuns = pgTable(
  'backup_runs',
  {
    id: id(),
    kind: text('kind', { enum: BACKUP_RUN_KINDS }).notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at').notNull(),
    /** The backup that was made or verified; null if the run failed. */
    backupId: text('backup_id'),
    rows: bigint('rows', { mode: 'number' }).notNull().default(0),
    files: bigint('files', { mode: 'number' }).notNull().default(0),
    /** The size of the files. */
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** Why the run failed; null if it succeeded. */
    problem: text('problem'),
  },
  (t) => [
    check('backup_runs_ended', sql`${t.endedAt} >= ${t.startedAt}`),
    index('backup_runs_newest').on(t.kind, sql`(${t.problem} is null)`, t.startedAt.desc()),
  ],
);
