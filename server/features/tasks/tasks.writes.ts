import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { buildings, counters } from '#db/schema/places.ts';
import { taskLines, tasks } from '#db/schema/tasks.ts';
import { type Given, statement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import {
  TASK_CHECK_VOCABULARY,
  TASK_CHECKS,
  type TaskCheck,
} from '#shared/features/checks/kinds.vocabulary.ts';
import { storedRecurrence } from '#shared/features/tasks/task-frequency.ts';
import { newTaskDates, type Recurrence } from '#shared/features/tasks/task-schedule.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { BUILDING_TASKS_MAX, formatTaskNumber } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { visibleTo } from '../../access/visible-to.ts';
import type { Command } from '../../kernel/commands.ts';
import { nextCounterValue } from '../../kernel/counters.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { readToday } from '../../kernel/settings.ts';
import { type CheckStanding, readCheckStanding } from './check-standing.ts';
import { signatureOf } from './task-lines.ts';
import { changesBetween, selectTasks, writeTask } from './task-row.ts';
import { TASK_COUNTER } from './tasks.queries.ts';

// Task operations for commands of this and other features, within their transaction.

/** The values of a new task. */
export type NewTask = {
  id: string;
  complianceSystem: string;
  taskDescription: string;
  recurrence: Recurrence;
  responsiblePerson: string;
  responsibleId: string | null;
  lastDone: string | null;
  stated: string | null;
  check?: TaskCheck | null;
  template?: { id: string; version: number };
};

type BuildingRef = { id: string; code: string };
/** The counter of a building's log, by the name that checks use; its row is the lock of the log. */
const CHECK_COUNTER = 'check';

/** @throws AppError `not_found` if the building does not exist or this person may not see it */
export async function findBuilding({ tx, actor }: Command, id: string): Promise<BuildingRef> {
  const [building] = await tx
    .select({ id: buildings.id, code: buildings.code })
    .from(buildings)
    .where(and(eq(buildings.id, id), visibleTo(actor, buildings.id)));
  if (building === undefined) throw new AppError('not_found');
  return building;
}

/**
 * Locks the building's number of tasks until the end of the command, so that commands that add tasks at the same time run
 * one after the other.
 * @throws AppError `invalid` if the building would have too many tasks: its list is sent as a whole
 */
export async function assertRoom(command: Command, buildingId: string, more: number): Promise<void> {
  const { tx } = command;
  await lockTasksInUse(command, buildingId);
  const inUse = await tx.$count(tasks, and(eq(tasks.buildingId, buildingId), isNull(tasks.retiredAt)));
  if (inUse + more <= BUILDING_TASKS_MAX) return;
  throw new AppError('invalid', {
    data: { fields: {} },
    message: taskMessages.tooMany(BUILDING_TASKS_MAX),
  });
}

/**
 * Inserts a task with the first line of its record, and counts its number. Records no event; the caller does.
 * @returns the task; undefined if its id is taken, or its building has another of the same template or check in use
 */
export async function insertTask(
  command: Command,
  building: BuildingRef,
  { recurrence, lastDone, stated, template, check = null, ...values }: NewTask,
  today: string,
): Promise<Task | undefined> {
  const { tx, now } = command;
  const dates = newTaskDates(recurrence, { createdOn: today, lastDone, stated });
  const stored = storedRecurrence(recurrence);
  const number = await nextCounterValue(command, building.id, TASK_COUNTER);
  const inserted = await tx
    .insert(tasks)
    .values({
      ...values,
      ...stored,
      ...dates,
      check,
      taskNumber: formatTaskNumber(building.code, number),
      buildingId: building.id,
      templateId: template?.id ?? null,
      templateVersion: template?.version ?? null,
      completionId: dates.completedOn === null ? null : values.id,
      completedByName: dates.completedOn === null ? null : recordedName(command.actor),
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: tasks.id });
  const [made] = inserted;
  if (made === undefined) return undefined;
  await tx.insert(taskLines).values({
    ...signatureOf(command),
    ...stored,
    id: made.id,
    taskId: made.id,
    buildingId: building.id,
    position: 1,
    kind: 'created',
    day: today,
    lastDone,
    stated,
  });
  const [task] = await selectTasks(tx).where(eq(tasks.id, made.id));
  if (task === undefined) throw new Error(`task ${made.id} is gone in the transaction that wrote it`);
  if (task.check === null) return task;
  await lockChecks(command, building.id);
  const standing = await readCheckStanding(tx, task, await readToday(tx, new Date(now)));
  // Still version 1, because the row has not been sent yet: clients take a higher version for a change of a known row.
  return writeJudged(command, { ...task, version: 0 }, standing);
}

/**
 * Locks a building's log of checks until the end of the command: a visit that is stored at the same time is either in
 * the log already, or finds the new task.
 */
export function lockChecks({ tx }: Command, buildingId: string): Promise<void> {
  return lockCounter(tx, buildingId, CHECK_COUNTER);
}

/**
 * Locks the set of a building's tasks in use until the end of the command: adding, restoring and applying templates run one after
 * the other.
 */
export function lockTasksInUse({ tx }: Command, buildingId: string): Promise<void> {
  return lockCounter(tx, buildingId, TASK_COUNTER);
}

async function lockCounter(tx: Transaction, buildingId: string, kind: string): Promise<void> {
  await tx
    .insert(counters)
    .values({ buildingId, kind, value: 0 })
    .onConflictDoUpdate({
      target: [counters.buildingId, counters.kind],
      set: { value: sql`${counters.value}` },
    });
}

const selectCheckTasks = statement((db, given: Given<{ buildingId: string }>, checks: readonly TaskCheck[]) =>
  selectTasks(db)
    .where(
      and(eq(tasks.buildingId, given.buildingId), inArray(tasks.check, [...checks]), isNull(tasks.retiredAt)),
    )
    .orderBy(asc(tasks.id))
    .for('update', { of: tasks }),
);

/**
 * Locks the tasks in use of a building that a kind of check satisfies; most buildings have none.
 * @param kind any kind of log; for an incident there are no tasks
 */
export function lockCheckTasks(tx: Transaction, buildingId: string, kind: LogKind): Promise<Task[]> {
  const satisfied = TASK_CHECKS.filter((name) => TASK_CHECK_VOCABULARY[name].kind === kind);
  return satisfied.length === 0 ? Promise.resolve([]) : selectCheckTasks(tx, { buildingId }, satisfied);
}

type Judging = Pick<Command, 'tx' | 'now' | 'record'>;

/** Judges locked tasks by the present log (ruling T23), and records their changes. */
export async function judgeTasks(command: Judging, locked: readonly Task[]): Promise<void> {
  if (locked.length === 0) return;
  const { tx, now } = command;
  const day = await readToday(tx, new Date(now));
  for (const before of locked) {
    const standing = await readCheckStanding(tx, before, day);
    if (isSame(before, standing)) continue;
    const task = await writeJudged(command, before, standing);
    await command.record({ op: 'put', entity: 'task', row: task, changes: changesBetween(before, task) });
  }
}

/**
 * Judges the tasks of a building that a kind of check satisfies, after the log or the schedule there has changed in
 * this transaction.
 */
export async function judgeCheckTasks(command: Judging, buildingId: string, kind: LogKind): Promise<void> {
  await judgeTasks(command, await lockCheckTasks(command.tx, buildingId, kind));
}

/** Judges all tasks of a building that checks satisfy, after its register of assets has changed in this transaction. */
export async function judgeAllCheckTasks(command: Judging, buildingId: string): Promise<void> {
  await judgeTasks(command, await selectCheckTasks(command.tx, { buildingId }, TASK_CHECKS));
}

/**
 * Stores the standing that the log gives a task. Completions and marks get no lines in the task's record, because the log has
 * them.
 */
function writeJudged(
  { tx, now }: Pick<Command, 'tx' | 'now'>,
  before: Task,
  standing: CheckStanding,
): Promise<Task> {
  return writeTask(tx, before, { ...standing, completionId: null, markId: null }, now);
}

function isSame(task: Task, standing: CheckStanding): boolean {
  const { coverage, ...rest } = standing;
  // The cast is needed because Object.keys returns the names as plain strings.
  const fields = Object.keys(rest) as (keyof typeof rest)[];
  return (
    fields.every((field) => task[field] === rest[field]) &&
    COVERED.every((field) => task.coverage?.[field] === coverage?.[field])
  );
}
const COVERED = ['done', 'of', 'days', 'daysOf', 'until'] as const;
