import { type Task, taskSchema, updateTaskInput } from '#shared/features/tasks/tasks.ts';
import { wishesOf } from '../../forms/field-edits.ts';
import type { QueuedCommand } from '../../offline/types.ts';
import { completionFieldsIn } from './completion-draft.ts';
import { completionOverlay } from './task-overlay.ts';

const updateSchema = updateTaskInput.omit({ operationId: true });

/** Returns the form value stored with a queued command: the task as the person saw it. */
export function formValueOf(task: Task): { task: Task } {
  // With the person's own unconfirmed writes the version ends in .5.
  return { task: { ...task, version: Math.floor(task.version) } };
}

/** Returns the task as the person saw it when the command was queued. */
export function seenTaskOf({ form }: Pick<QueuedCommand, 'form'>): Task | undefined {
  return taskSchema.safeParse(Reflect.get(Object(form?.value), 'task')).data;
}

/** Returns the changed fields of a queued edit, each with the value that the person saw and the new value. */
export function queuedEditsOf({ command, input }: Pick<QueuedCommand, 'command' | 'input'>) {
  if (command !== 'tasks.update') return undefined;
  return updateSchema.safeParse(input).data?.changes;
}

/** Returns whether a command waits to be sent or confirmed. */
export function isWaiting({ state }: Pick<QueuedCommand, 'state'>): boolean {
  return state === 'saved' || state === 'sending';
}

/**
 * Returns the fields of a task that a queued command changes, with their new values.
 * @param name the name of the person who completes the task
 */
export function patchOf(item: QueuedCommand, task: Task, name: string): Partial<Task> | undefined {
  if (item.command === 'tasks.complete') return completionOverlay(task, completionFieldsIn(item.input), name);
  const edits = queuedEditsOf(item);
  return edits && wishesOf<Partial<Task>>(edits);
}

/** Returns a copy of a task with the person's own waiting commands applied in order. */
export function withWaiting(task: Task, items: readonly QueuedCommand[], name: string): Task {
  let shown = task;
  for (const item of items) {
    if (isWaitingFor(item, task.id)) shown = { ...shown, ...patchOf(item, shown, name) };
  }
  return shown;
}

/** Returns whether a command on a task waits; a later command on the task must not overtake it. */
export function hasWaiting(items: readonly QueuedCommand[], taskId: string): boolean {
  return items.some((item) => isWaitingFor(item, taskId));
}

function isWaitingFor(item: QueuedCommand, taskId: string): boolean {
  return (
    item.command.startsWith('tasks.') && isWaiting(item) && Reflect.get(Object(item.input), 'id') === taskId
  );
}
