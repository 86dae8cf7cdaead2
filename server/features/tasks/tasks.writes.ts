import { and, eq, isNull } from 'drizzle-orm';
import { buildings } from '#db/schema/places.ts';
import { taskLines, tasks } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import type { TaskCheck } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Task } from '#shared/features/tasks.ts';
import { BUILDING_TASKS_MAX, formatTaskNumber } from '#shared/features/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { fullName } from '#shared/names.ts';
import { storedRecurrence } from '#shared/task-frequency.ts';
import { newTaskDates, type Recurrence } from '#shared/task-schedule.ts';
import { visibleTo } from '../../access/visible-to.ts';
import type { Command } from '../../kernel/commands.ts';
import { nextCounterValue } from '../../kernel/counters.ts';
import { signatureOf } from './task-lines.ts';
import { selectTasks } from './task-row.ts';
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

/** @throws AppError `not_found` if the building does not exist or this person may not see it */
export async function findBuilding({ tx, actor }: Command, id: string): Promise<BuildingRef> {
  const [building] = await tx
    .select({ id: buildings.id, code: buildings.code })
    .from(buildings)
    .where(and(eq(buildings.id, id), visibleTo(actor, buildings.id)));
  if (building === undefined) throw new AppError('not_found');
  return building;
}

/** @throws AppError `invalid` if so many more tasks are too many for a building, whose list comes whole */
export async function assertRoom({ tx }: Command, buildingId: string, more: number): Promise<void> {
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
      completedByName: dates.completedOn === null ? null : fullName(command.actor),
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
  return task;
}
