import { useCallback, useMemo, useState } from 'react';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { tell, toastFailure } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { toastSuccess } from '../../ui/feedback/toast.ts';
import { useCompleteTask } from './completion/use-complete-task.ts';

/** A change of a date: of the due date, by Schedule, or of the day of the last completion, by its calendar. */
export type DateChange = { what: 'schedule' | 'correct'; day: string };
/** A change that the person has to confirm or drop, with the current task. */
export type ContestedChange = { task: Task; change: DateChange };

const WORDS = {
  schedule: { success: taskMessages.scheduled, failure: taskMessages.scheduleFailed },
  correct: { success: taskMessages.corrected, failure: taskMessages.correctFailed },
} as const;

/**
 * Commands on one task. Each is shown at once, and ends with a toast. If the task has changed since the person saw it, the
 * screen must ask: it renders `question`, and a dialog for `contested` that calls `decide` (ruling T25).
 */
export function useTaskCommands() {
  const { mutate } = useLiveMutation();
  const { complete, question } = useCompleteTask();
  const [contested, setContested] = useState<ContestedChange>();

  const send = useCallback(
    (task: Task, { what, day }: DateChange) => {
      const { id, occurrence } = task;
      const about = { entity: 'task', id, base: task } as const;
      if (what === 'schedule') {
        return mutate({
          input: { id, due: { from: task.due, to: day } },
          overlay: { ...about, patch: { due: day, occurrence: occurrence + 1 } },
          send: (input, { signal }) => api.tasks.schedule.mutate(input, { signal }),
        });
      }
      return mutate({
        input: { id, occurrence, day },
        // The other dates are computed from the whole record, which only the server has.
        overlay: { ...about, patch: { completedOn: day, occurrence: occurrence + 1 } },
        send: (input, { signal }) => api.tasks.correct.mutate(input, { signal }),
      });
    },
    [mutate],
  );

  /** @returns whether the date was changed */
  const changeDate = useCallback(
    async (task: Task, change: DateChange): Promise<boolean> => {
      const { success, failure } = WORDS[change.what];
      try {
        await send(task, change);
        toastSuccess(success, { about: task.taskNumber });
        return true;
      } catch (error) {
        const wire = wireErrorOf(error);
        if (wire?.code === 'conflict') {
          // The cast is safe: a conflict contains present values of the task's own fields, by name.
          setContested({ task: { ...task, ...(wire.fields as Partial<Task>) }, change });
        } else toastFailure(error, failure);
        return false;
      }
    },
    [send],
  );

  const restore = useCallback(
    (task: Task) => {
      const patch = { retiredAt: null, retireReason: null };
      const restored = mutate({
        input: { id: task.id },
        overlay: { entity: 'task', id: task.id, base: task, patch },
        send: (input, { signal }) => api.tasks.restore.mutate(input, { signal }),
      });
      return tell(restored, {
        about: task.taskNumber,
        success: taskMessages.restored,
        failure: taskMessages.restoreFailed,
      });
    },
    [mutate],
  );

  const commands = useMemo(
    () => ({
      complete: (task: Task, day: string) => complete(task, { day }),
      /** Completes on a day picked in the calendar of Last Completed. */
      completeOn: (task: Task, day: string) => complete(task, { day }, taskMessages.corrected),
      correct: (task: Task, day: string) => changeDate(task, { what: 'correct', day }),
      schedule: (task: Task, day: string) => changeDate(task, { what: 'schedule', day }),
      restore,
    }),
    [complete, changeDate, restore],
  );

  const decide = useCallback(
    (wants: boolean) => {
      setContested(undefined);
      if (wants && contested !== undefined) void changeDate(contested.task, contested.change);
    },
    [contested, changeDate],
  );
  return { commands, question, contested, decide };
}

export type TaskCommands = ReturnType<typeof useTaskCommands>['commands'];
