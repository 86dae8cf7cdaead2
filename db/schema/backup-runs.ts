import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { BACKUP_RUN_KINDS } from '#shared/features/backups/backups.ts';
import { instant } from './columns.ts';

/** Finished backup and verification runs. A run whose process was killed has no row. */
export const backupRuns = pgTable(
  'backup_runs',
  {
    /** Defines the order of runs, because their times are wrong if the clock was wrong. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: BACKUP_RUN_KINDS }).notNull(),
    /** The address of the backup repository. */
    repository: text('repository').notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at').notNull(),
    /** The backup that was made or verified; null if the run failed. */
    backupId: text('backup_id'),
    rows: bigint('rows', { mode: 'number' }).notNull().default(0),
    files: bigint('files', { mode: 'number' }).notNull().default(0),
    /** The size of the files. */
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** Number of files that are missing from the backup, because the installation had lost them. */
    lost: bigint('lost', { mode: 'number' }).notNull().default(0),
    /** Why the run failed; null if it succeeded. */
    problem: text('problem'),
    /** Whether it failed because stored objects are damaged or missing. The next backup then compares all of them. */
    isDamaged: boolean('is_damaged').notNull().default(false),
  },
  (t) => [index('backup_runs_newest').on(t.repository, t.kind, sql`(${t.problem} is null)`, t.id.desc())],
);
