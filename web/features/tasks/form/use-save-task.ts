import { useCallback } from 'react';
import type { Task, UpdateTaskInput } from '#shared/features/tasks/tasks.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import type { OfflineInput } from '#shared/offline.ts';
import { wishesOf } from '../../../forms/field-edits.ts';
import { useSendOrKeep } from '../../../forms/use-send-or-keep.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { editTaskPath, newTaskPath } from '../task-paths.ts';
import { useViewTask } from '../use-view-task.ts';
import { formValueOf, hasWaiting } from '../waiting-changes.ts';

/** The draft that becomes the command, and the id of the refused command that the new command corrects. */
export type FormOrigin = { draftKey: string; replaces?: string | undefined };
type NewTask = OfflineInput<'tasks.create'>;
type Added = { id: string; taskNumber: string; version: number };

/**
 * Sends a new task or changes to a task, or stores them on this device to be sent later, with a toast for the outcome. Both
 * functions reject with the server's refusal or a NotKeptError.
 */
export function useSaveTask() {
  const sendOrKeep = useSendOrKeep();
  const view = useViewTask();

  const add = useCallback(
    async (input: NewTask, origin: FormOrigin): Promise<void> => {
      const outcome = await sendOrKeep<'tasks.create', Added>({
        command: {
          command: 'tasks.create',
          input,
          title: taskMessages.newTaskOf(taskName(input)),
          form: { path: newTaskPath(input.buildingId), value: null },
          ...origin,
        },
        keptText: taskMessages.taskKept,
        send: (whole, { signal }) => api.tasks.create.mutate(whole, { signal }),
      });
      if (outcome === 'kept') return;
      const { id, taskNumber } = outcome;
      toastTaskAdded(taskNumber, () => view({ id, buildingId: input.buildingId }));
    },
    [sendOrKeep, view],
  );

  const update = useCallback(
    async (task: Task, changes: UpdateTaskInput['changes'], origin: FormOrigin): Promise<void> => {
      const outcome = await sendOrKeep<'tasks.update', { version: number }>({
        command: {
          command: 'tasks.update',
          input: { id: task.id, changes },
          title: taskMessages.changesOf(`${task.taskNumber} ${taskName(task)}`),
          form: { path: `${editTaskPath(task.id)}?building=${task.buildingId}`, value: formValueOf(task) },
          ...origin,
        },
        keptText: taskMessages.updateKept,
        send: (whole, { signal }) => api.tasks.update.mutate(whole, { signal }),
        overlay: { entity: 'task', id: task.id, base: task, patch: wishesOf<Partial<Task>>(changes) },
        isBehind: (waiting) => hasWaiting(waiting, task.id),
      });
      if (outcome !== 'kept') sayTaskUpdated(task.taskNumber, () => view(task));
    },
    [sendOrKeep, view],
  );

  return { add, update };
}

export function toastTaskAdded(taskNumber: string, onView: () => void): void {
  toast({ title: taskMessages.added, text: taskNumber, action: { label: 'View', onSelect: onView } });
}

export function sayTaskUpdated(taskNumber: string, onView: () => void): void {
  toast({ title: taskMessages.updated, text: taskNumber, action: { label: 'View', onSelect: onView } });
}
