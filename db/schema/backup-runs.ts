import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { BACKUP_RUN_KINDS } from '#shared/features/backups/backups.ts';
import { instant } from './columns.ts';

/** Finished backup and verification runs. A run whose process was killed has no row. */
export const backupRuns = pgTable(
  'backup_runs',
  {
    /** Runs are in the order of their ids. Their times may be wrong, by a clock that was. */
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
    /** Files that the installation had lost, so that the backup is without them. */
    lost: bigint('lost', { mode: 'number' }).notNull().default(0),
    /** Why the run failed; null if it succeeded. */
    problem: text('problem'),
  },
  (t) => [index('backup_runs_newest').on(t.repository, t.kind, sql`(${t.problem} is null)`, t.id.desc())],
);
