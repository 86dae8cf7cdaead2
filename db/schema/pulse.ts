import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { CADENCES } from '#shared/check-periods.ts';
import { CHECK_KINDS } from '#shared/features/checks/kinds.vocabulary.ts';
import { ISSUE_PRIORITIES } from '#shared/features/issues/issues.vocabulary.ts';
import { instant } from './columns.ts';
import { buildings } from './places.ts';

const xid8 = customType<{ data: string; driverData: string }>({ dataType: () => 'xid8' });
const day = (name: string) => date(name, { mode: 'string' });
const count = (name: string) => integer(name).notNull().default(0);
/** Twelve counts, the oldest week first. */
const weeks = (name: string) => integer(name).array().notNull().default(sql`'{0,0,0,0,0,0,0,0,0,0,0,0}'`);

/**
 * The figures of each building, one row per building. While a transaction commits, triggers update the figures from the
 * rows that it wrote; `move_pulses()` makes the changes that only time causes.
 */
export const buildingPulses = pgTable('building_pulses', {
  buildingId: uuid('building_id')
    .primaryKey()
    .references(() => buildings.id, { onDelete: 'cascade' }),
  /** The local day by which checks, tasks and weeks are judged. */
  day: day('day').notNull(),
  /** The moment by which issues are judged overdue or not. */
  movedAt: instant('moved_at').notNull(),
  /** The next moment at which time alone changes a figure. Null: the figures are not updated, as for an archived building. */
  movesAt: instant('moves_at'),
  openLow: count('open_low'),
  openMedium: count('open_medium'),
  openHigh: count('open_high'),
  openCritical: count('open_critical'),
  overdueIssues: count('overdue_issues'),
  checksDue: count('checks_due'),
  checksDone: count('checks_done'),
  checksMissed: count('checks_missed'),
  tasksCompliant: count('tasks_compliant'),
  tasksNonCompliant: count('tasks_non_compliant'),
  tasksOverdue: count('tasks_overdue'),
  tasksDueThisWeek: count('tasks_due_this_week'),
  opened: weeks('opened'),
  closed: weeks('closed'),
  version: count('version'),
  updatedAt: instant('updated_at').notNull(),
});

/**
 * Notes of running transactions about their changes that the pulse counts. A note adds something to the counts (1) or removes
 * it (-1). The note is added to the figures and deleted while its transaction commits, so no other transaction ever sees it.
 * The table is unlogged: a crash leaves no notes behind.
 */
export const pulseChanges = pgTable(
  'pulse_changes',
  {
    tx: xid8('tx').notNull().default(sql`pg_current_xact_id()`),
    buildingId: uuid('building_id').notNull(),
    sign: smallint('sign').notNull().default(0),
    /** For an issue that is neither resolved nor closed. */
    priority: text('priority', { enum: ISSUE_PRIORITIES }),
    openedAt: instant('opened_at'),
    closedAt: instant('closed_at'),
    /** For a task that is in use and due at its site. */
    due: day('due'),
    coveredUntil: day('covered_until'),
    isMarked: boolean('is_marked').notNull().default(false),
    /** The building's checks must be judged again. */
    ofChecks: boolean('of_checks').notNull().default(false),
    /** The building was added, renamed, archived or restored. */
    ofBuilding: boolean('of_building').notNull().default(false),
    /** True for one row of each statement, whose trigger folds all notes of the transaction. Once for each row is too slow. */
    folds: boolean('folds').notNull().default(true),
  },
  (t) => [index('pulse_changes_tx').on(t.tx, t.buildingId)],
);

/** The kinds of checks as the pulse judges them. When a server starts, it writes the kinds that it has switched on. */
export const pulseKinds = pgTable('pulse_kinds', {
  kind: text('kind', { enum: CHECK_KINDS }).primaryKey(),
  cadence: text('cadence', { enum: CADENCES }).notNull(),
  /** The kind applies to sites with an asset of one of these types; null if it applies everywhere. */
  subjectTypes: text('subject_types').array(),
  isCounted: boolean('is_counted').notNull(),
});

/** One row: the moment up to which all pulses have moved, and the result of the last comparison with the counted rows. */
export const pulseState = pgTable(
  'pulse_state',
  {
    one: boolean('one').primaryKey().default(true),
    movedAt: instant('moved_at').notNull(),
    comparedAt: instant('compared_at'),
    compared: count('compared'),
    differed: count('differed'),
  },
  (t) => [check('pulse_state_one', sql`${t.one}`)],
);
