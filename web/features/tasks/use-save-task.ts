import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Task, UpdateTaskInput } from '#shared/features/tasks.ts';
import { taskName } from '#shared/features/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import type { OfflineInput } from '#shared/offline.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { wishesOf } from '../../forms/field-edits.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { NotSentError } from '../../live/wire-error.ts';
import { NotKeptError } from '../../offline/not-kept-error.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { type CommandOf, useSendQueue } from '../../offline/use-send-queue.ts';
import { toast } from '../../ui/toast.ts';
import { editTaskPath, newTaskPath, taskPath } from './task-paths.ts';
import { formValueOf, hasWaiting } from './waiting-changes.ts';

/** The draft that becomes the command, and the refused command that it corrects. */
export type FormOrigin = { draftKey: string; replaces?: string | undefined };
type NewTask = OfflineInput<'tasks.create'>;

/**
 * Sends a new task or changes to one, and tells with a toast how it went. Without a connection it goes to the send
 * queue; so does the correction of a refused command, and what must not overtake a waiting one. Both functions reject
 * with the server's refusal or a NotKeptError.
 */
export function useSaveTask() {
  const { mutate } = useLiveMutation();
  const { drafts, sendQueue } = useOffline();
  const { enqueue } = useSendQueue();
  const view = useViewTask();

  const keep = useCallback(
    async (command: CommandOf<'tasks.create'> | CommandOf<'tasks.update'>, text: string): Promise<void> => {
      try {
        await enqueue(command);
      } catch (error) {
        throw new NotKeptError(error);
      }
      toast({ title: offlineMessages.states.saved, text });
    },
    [enqueue],
  );

  const add = useCallback(
    async (input: NewTask, { draftKey, replaces }: FormOrigin): Promise<void> => {
      const later = () =>
        keep(
          {
            command: 'tasks.create',
            input,
            title: taskMessages.newTaskOf(taskName(input)),
            form: { path: newTaskPath(input.buildingId), value: null },
            draftKey,
            replaces,
          },
          taskMessages.taskKept,
        );
      if (replaces !== undefined) return later();
      try {
        const { id, taskNumber } = await mutate({
          input,
          send: (whole, { signal }) => api.tasks.create.mutate(whole, { signal }),
        });
        await forget(drafts.clear(draftKey));
        sayTaskAdded(taskNumber, () => view({ id, buildingId: input.buildingId }));
      } catch (error) {
        if (!(error instanceof NotSentError)) throw error;
        await later();
      }
    },
    [mutate, keep, drafts, view],
  );

  const update = useCallback(
    async (
      task: Task,
      changes: UpdateTaskInput['changes'],
      { draftKey, replaces }: FormOrigin,
    ): Promise<void> => {
      const later = () =>
        keep(
          {
            command: 'tasks.update',
            input: { id: task.id, changes },
            title: taskMessages.changesOf(`${task.taskNumber} ${taskName(task)}`),
            form: { path: `${editTaskPath(task.id)}?building=${task.buildingId}`, value: formValueOf(task) },
            draftKey,
            replaces,
          },
          taskMessages.updateKept,
        );
      if (replaces !== undefined || hasWaiting(sendQueue.items(), task.id)) return later();
      try {
        await mutate({
          input: { id: task.id, changes },
          overlay: { entity: 'task', id: task.id, base: task, patch: wishesOf<Partial<Task>>(changes) },
          send: (whole, { signal }) => api.tasks.update.mutate(whole, { signal }),
        });
        await forget(drafts.clear(draftKey));
        sayTaskUpdated(task.taskNumber, () => view(task));
      } catch (error) {
        if (!(error instanceof NotSentError)) throw error;
        await later();
      }
    },
    [mutate, keep, drafts, sendQueue, view],
  );

  return { add, update };
}

/** Returns a function that opens a task on the compliance page. */
export function useViewTask(): (task: Pick<Task, 'id' | 'buildingId'>) => void {
  const navigate = useNavigate();
  return useCallback((task) => void navigate(taskPath(task)), [navigate]);
}

export function sayTaskAdded(taskNumber: string, onView: () => void): void {
  toast({ title: taskMessages.added, text: taskNumber, action: { label: 'View', onSelect: onView } });
}

export function sayTaskUpdated(taskNumber: string, onView: () => void): void {
  toast({ title: taskMessages.updated, text: taskNumber, action: { label: 'View', onSelect: onView } });
}

/** A draft that cannot be removed now does not make a save fail. */
async function forget(removal: Promise<void>): Promise<void> {
  await removal.catch(() => undefined);
}
