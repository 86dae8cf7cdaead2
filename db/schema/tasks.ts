import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { TASK_CHECKS } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Coverage } from '#shared/features/tasks/tasks.ts';
import { TASK_LINE_KINDS } from '#shared/features/tasks/tasks.vocabulary.ts';
import { id, instant } from './columns.ts';
import { nameKeyOf, otherNameKeyOf, searchTextOf } from './name-keys.ts';
import { profiles } from './people.ts';
import { buildings } from './places.ts';

const building = () =>
  uuid('location_id')
    .notNull()
    .references(() => buildings.id);
/** The task's name in SQL, as `taskName` makes it: the system, then the description. */
const TASK_NAME = `"compliance_system" || case when "compliance_system" = '' or "task_description" = '' then '' else ' – ' end || "task_description"`;
const day = (name: string) => date(name, { mode: 'string' });

/**
 * Compliance tasks. The dates are derived from the task's lines, or from the log of the check that satisfies it. They are
 * stored here, too, because lists filter and count by them.
 */
export const tasks = pgTable(
  'tasks',
  {
    id: id(),
    taskNumber: text('task_number').notNull().unique(),
    buildingId: building(),
    complianceSystem: text('compliance_system').notNull(),
    taskDescription: text('task_description').notNull(),
    /** In the notation of `shared/features/tasks/task-frequency.ts`. */
    frequency: text('frequency').notNull(),
    /** Null: as `earlyOf` derives it from the interval. */
    early: text('early'),
    grace: text('grace').notNull().default('P0D'),
    responsiblePerson: text('responsible_person').notNull().default(''),
    responsibleId: uuid('responsible_id').references(() => profiles.id),
    check: text('satisfied_by', { enum: TASK_CHECKS }),
    templateId: text('template_id'),
    templateVersion: smallint('template_version'),
    anchor: day('anchor').notNull(),
    gridDay: day('grid_day').notNull(),
    due: day('due').notNull(),
    coveredUntil: day('covered_until'),
    completedOn: day('completed_on'),
    completedByName: text('completed_by_name'),
    completionId: uuid('completion_id'),
    markedOn: day('marked_on'),
    markReason: text('mark_reason'),
    markId: uuid('mark_id'),
    /** False if nothing is due by the site's schedule of checks. */
    isDue: boolean('is_due').notNull().default(true),
    coverage: jsonb('coverage').$type<Coverage>(),
    occurrence: integer('occurrence').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    retiredAt: instant('retired_at'),
    retireReason: text('retire_reason'),
    version: integer('version').notNull().default(1),
    /** An import treats two tasks in use at a building as the same task if their keys are equal. */
    nameKey: nameKeyOf('compliance_system', 'task_description'),
    responsibleKey: otherNameKeyOf('responsible_key', 'responsible_person'),
    searchText: searchTextOf('task_number', TASK_NAME, 'responsible_person'),
  },
  (t) => [
    unique('tasks_id_building').on(t.id, t.buildingId),
    // At most one task in use for each template, and for each check, of a building.
    uniqueIndex('tasks_template_once').on(t.buildingId, t.templateId).where(sql`${t.retiredAt} is null`),
    uniqueIndex('tasks_check_once').on(t.buildingId, t.check).where(sql`${t.retiredAt} is null`),
    // All columns that the summary counts by, so that it does not read the rows of a person's buildings.
    index('tasks_judged')
      .on(t.buildingId, t.due, t.coveredUntil, t.markedOn, t.isDue)
      .where(sql`${t.retiredAt} is null`),
    // Partial, because few tasks are retired.
    index('tasks_retired').on(t.buildingId).where(sql`${t.retiredAt} is not null`),
    // For finding the tasks that lapse at midnight.
    index('tasks_lapsing')
      .on(t.coveredUntil, t.buildingId)
      .where(sql`${t.retiredAt} is null and ${t.markedOn} is null and ${t.isDue}`),
    check('tasks_covered', sql`${t.coveredUntil} is null or ${t.completedOn} is not null`),
    check('tasks_marked', sql`(${t.markedOn} is null) = (${t.markReason} is null)`),
    check('tasks_retired', sql`(${t.retiredAt} is null) = (${t.retireReason} is null)`),
    check('tasks_template', sql`(${t.templateId} is null) = (${t.templateVersion} is null)`),
    check('tasks_by_check', sql`${t.check} is not null or (${t.isDue} and ${t.coverage} is null)`),
  ],
);

/** The lines of tasks' records: appended, never changed or deleted. */
export const taskLines = pgTable(
  'task_lines',
  {
    id: id(),
    taskId: uuid('task_id').notNull(),
    buildingId: building(),
    /** From 1, in the order in which the lines were recorded. */
    position: integer('position').notNull(),
    kind: text('kind', { enum: TASK_LINE_KINDS }).notNull(),
    /** The day that the line is about; for most kinds, the day of its recording. */
    day: day('day').notNull(),
    /** For a completion: the occurrence that the person saw. */
    occurrence: integer('occurrence'),
    /** For a move: the grid day of the occurrence, and the new due date. */
    gridDay: day('grid_day'),
    due: day('due'),
    /** The line that this one corrects or undoes. */
    of: uuid('of'),
    /** For a completion or the creation: the date on the certificate. */
    stated: day('stated'),
    /** For the creation: when the task was last done before. */
    lastDone: day('last_done'),
    /** For the creation and a change of frequency: the recurrence from then on. */
    frequency: text('frequency'),
    early: text('early'),
    grace: text('grace'),
    reason: text('reason'),
    notes: text('notes').notNull().default(''),
    recordedBy: uuid('recorded_by')
      .notNull()
      .references(() => profiles.id),
    /** The person's name at that time; a later name does not change it. */
    recordedByName: text('recorded_by_name').notNull(),
    recordedAt: instant('recorded_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'task_lines_task',
      columns: [t.taskId, t.buildingId],
      foreignColumns: [tasks.id, tasks.buildingId],
    }),
    unique('task_lines_position').on(t.taskId, t.position),
    foreignKey({ name: 'task_lines_of', columns: [t.of], foreignColumns: [t.id] }),
    // A line can be undone only once.
    uniqueIndex('task_lines_undone_once').on(t.of).where(sql`${t.kind} = 'undone'`),
    check('task_lines_first', sql`(${t.kind} = 'created') = (${t.position} = 1)`),
    check('task_lines_of_another', sql`(${t.kind} in ('corrected', 'undone')) = (${t.of} is not null)`),
    check('task_lines_completion', sql`(${t.kind} = 'completed') = (${t.occurrence} is not null)`),
    check(
      'task_lines_move',
      sql`(${t.kind} = 'scheduled') = (${t.due} is not null) and (${t.kind} = 'scheduled') = (${t.gridDay} is not null)`,
    ),
    check(
      'task_lines_recurrence',
      sql`(${t.kind} in ('created', 'changed')) = (${t.frequency} is not null)
        and (${t.kind} in ('created', 'changed')) = (${t.grace} is not null)`,
    ),
    check(
      'task_lines_reason',
      sql`${t.kind} not in ('marked', 'undone', 'retired') or ${t.reason} is not null`,
    ),
  ],
);

/** The midnights at which tasks of a building lapsed, so that each lapse is recorded only once. */
export const taskLapses = pgTable(
  'task_lapses',
  {
    buildingId: building(),
    /** The first day on which the tasks are no longer covered. */
    day: day('day').notNull(),
    tasks: integer('tasks').notNull(),
    recordedAt: instant('recorded_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.buildingId, t.day] })],
);
