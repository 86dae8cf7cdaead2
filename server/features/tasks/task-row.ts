import { eq } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { buildings } from '#db/schema/places.ts';
import { tasks } from '#db/schema/tasks.ts';
import type { TaskDates } from '#shared/features/tasks/task-schedule.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { changesIn } from '../../kernel/merge-fields.ts';

/** The columns of a task that its own table contains. */
const ownColumns = {
  id: tasks.id,
  taskNumber: tasks.taskNumber,
  buildingId: tasks.buildingId,
  complianceSystem: tasks.complianceSystem,
  taskDescription: tasks.taskDescription,
  frequency: tasks.frequency,
  early: tasks.early,
  grace: tasks.grace,
  responsiblePerson: tasks.responsiblePerson,
  responsibleId: tasks.responsibleId,
  check: tasks.check,
  templateId: tasks.templateId,
  anchor: tasks.anchor,
  gridDay: tasks.gridDay,
  due: tasks.due,
  coveredUntil: tasks.coveredUntil,
  completedOn: tasks.completedOn,
  markedOn: tasks.markedOn,
  isDue: tasks.isDue,
  completedByName: tasks.completedByName,
  markReason: tasks.markReason,
  completionId: tasks.completionId,
  markId: tasks.markId,
  coverage: tasks.coverage,
  occurrence: tasks.occurrence,
  createdAt: tasks.createdAt,
  updatedAt: tasks.updatedAt,
  retiredAt: tasks.retiredAt,
  retireReason: tasks.retireReason,
  version: tasks.version,
};

/** The base query for tasks: add conditions, order and limit. */
export function selectTasks(db: Queryable) {
  return db
    .select({ ...ownColumns, buildingName: buildings.name })
    .from(tasks)
    .innerJoin(buildings, eq(buildings.id, tasks.buildingId))
    .$dynamic();
}

export type TaskColumns = Partial<typeof tasks.$inferInsert>;

/**
 * Writes to a task that the transaction has locked.
 * @param before the task as it was locked
 */
export async function writeTask(tx: Transaction, before: Task, set: TaskColumns, now: string): Promise<Task> {
  const [own] = await tx
    .update(tasks)
    .set({ ...set, updatedAt: now, version: before.version + 1 })
    .where(eq(tasks.id, before.id))
    .returning(ownColumns);
  if (own === undefined) throw new Error(`task ${before.id} is gone in the transaction that locked it`);
  return { ...own, buildingName: before.buildingName };
}

/** The dates of a task. */
export function datesOf({ anchor, gridDay, due, coveredUntil, completedOn, markedOn }: TaskDates): TaskDates {
  return { anchor, gridDay, due, coveredUntil, completedOn, markedOn };
}

/** Returns the changes between two states, for the fields that a history shows. */
export const changesBetween = changesIn<Task>([
  'complianceSystem',
  'taskDescription',
  'frequency',
  'responsiblePerson',
  'responsibleId',
  'due',
  'coveredUntil',
  'completedOn',
  'completedByName',
  'markedOn',
  'markReason',
  'isDue',
  'retiredAt',
  'retireReason',
]);
