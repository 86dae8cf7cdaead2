import { tasks } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import type { Command } from '../../kernel/commands.ts';
import { changesBetween, selectTasks, type TaskColumns, writeTask } from './task-row.ts';
import { visibleTask } from './tasks.queries.ts';

/** Answer of every command about one task. */
export type TaskAnswer = { id: string; version: number };

/**
 * Locks a task that this person may see until the end of the command.
 * @throws AppError `not_found`, also for a task of a building that the person may not see
 */
export async function lockTask({ tx, actor }: Command, id: string): Promise<Task> {
  const [locked] = await selectTasks(tx).where(visibleTask(actor, id)).for('update', { of: tasks });
  if (locked === undefined) throw new AppError('not_found');
  return locked;
}

/** Writes to a locked task, and records the change. */
export async function saveTask(command: Command, before: Task, set: TaskColumns): Promise<TaskAnswer> {
  const task = await writeTask(command.tx, before, set, command.now);
  await command.record({ op: 'put', entity: 'task', row: task, changes: changesBetween(before, task) });
  return { id: task.id, version: task.version };
}

export function invalid(fields: Record<string, string>): AppError {
  return new AppError('invalid', { data: { fields } });
}

/** @throws AppError `invalid` with the sentence, if the task is retired */
export function assertInUse({ retiredAt }: Task): void {
  if (retiredAt === null) return;
  throw new AppError('invalid', { data: { fields: {} }, message: taskMessages.retired });
}

/** @throws AppError `invalid` with the sentence, if checks satisfy the task */
export function assertNotByCheck({ check }: Task): void {
  if (check === null) return;
  throw new AppError('invalid', { data: { fields: {} }, message: taskMessages.byCheck });
}

/** @throws AppError `conflict` with the present values, if the task was retired or its dates changed since it was seen */
export function assertAsSeen(task: Task, occurrence: number): void {
  if (task.retiredAt === null && task.occurrence === occurrence) return;
  const { due, coveredUntil, completedOn, completedByName, markedOn, retiredAt, version } = task;
  throw new AppError('conflict', {
    message: taskMessages.changedSince,
    data: {
      fields: {
        due,
        coveredUntil,
        completedOn,
        completedByName,
        markedOn,
        retiredAt,
        occurrence: task.occurrence,
      },
      version,
    },
  });
}
