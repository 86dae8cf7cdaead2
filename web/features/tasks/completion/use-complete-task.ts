import { createElement, type ReactNode, useCallback, useRef, useState } from 'react';
import type { CompletionReceipt, Task } from '#shared/features/tasks/tasks.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { fullName } from '#shared/text/names.ts';
import { toastFailure } from '../../../forms/toasts.ts';
import { useSendOrKeep } from '../../../forms/use-send-or-keep.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { NotKeptError } from '../../../offline/queue/not-kept-error.ts';
import { toastError } from '../../../ui/feedback/toast.ts';
import type { TakenPhoto } from '../../photos/taken-photo.ts';
import { useMe } from '../../session/session-context.ts';
import { completedText, completionOverlay } from '../task-overlay.ts';
import { useViewTask } from '../use-view-task.ts';
import { formValueOf, hasWaiting } from '../waiting-changes.ts';
import { completionPath } from './completion-path.ts';
import { CompletionQuestion } from './completion-question.tsx';
import { toastCompleted } from './undo-offer.ts';

export type Completion = {
  day: string;
  /** The date that the certificate states, for a task whose next occurrence is determined by this date. */
  stated?: string | null;
  notes?: string;
  missedReason?: string;
  photos?: readonly TakenPhoto[];
};
type Handover = {
  /** The draft that becomes the queued completion. */
  draftKey?: string | undefined;
  /** The refused completion that this one corrects. */
  replaces?: string | undefined;
};
/**
 * `kept`: the completion is on this device, to be sent later. `left`: the task had changed, and the person chose not to
 * complete it. `stored`: the server has the completion; the task is as it was when completed, and `lineId` is the id of the
 * completion's line in the record.
 */
export type Completed = { stored: Task; lineId: string } | 'kept' | 'left';

type Asked = { task: Task; day: string; answer: (complete: boolean) => void };

/**
 * Completes tasks. The completion contains the occurrence that the person saw (ruling T25) and is shown at once. If the
 * task has changed since, `question` asks the person; the screen must render `question`.
 */
export function useCompleteTask() {
  const me = useMe();
  const sendOrKeep = useSendOrKeep();
  const toPage = useViewTask();
  const [asked, setAsked] = useState<Asked>();
  /** Ids of the tasks being completed, so that a second tap does nothing. */
  const underWay = useRef(new Set<string>());

  /** Rejects with the server's refusal, or a NotKeptError. */
  const send = useCallback(
    async (task: Task, completion: Completion, handover: Handover = {}): Promise<Completed> => {
      const { day, stated = null, notes = '', missedReason = '', photos = [] } = completion;
      const inputFor = ({ id, occurrence }: Task) => ({
        id,
        occurrence,
        day,
        stated,
        notes,
        missedReason,
      });

      let seen = task;
      for (;;) {
        try {
          const outcome = await sendOrKeep<
            'tasks.complete',
            { id: string; version: number } & CompletionReceipt
          >({
            command: {
              command: 'tasks.complete',
              input: inputFor(seen),
              title: taskMessages.completionOf(`${seen.taskNumber} ${taskName(seen)}`),
              form: { path: completionPath(seen.id), value: formValueOf(seen) },
              attachments: photos.map(({ id, blob, sha256, about }) => ({ id, blob, sha256, about })),
              ...handover,
            },
            keptText: taskMessages.completionKept,
            send: (input, { signal }) => api.tasks.complete.mutate(input, { signal }),
            overlay: {
              entity: 'task',
              id: seen.id,
              base: seen,
              patch: completionOverlay(seen, { day, stated }, fullName(me)),
            },
            isBehind: (waiting) => hasWaiting(waiting, seen.id),
          });
          return outcome === 'kept' ? 'kept' : { stored: seen, lineId: outcome.completionId };
        } catch (error) {
          const now = presentTask(seen, error);
          if (now === undefined) throw error;
          const complete = await new Promise<boolean>((answer) => setAsked({ task: now, day, answer }));
          setAsked(undefined);
          if (!complete) return 'left';
          seen = now;
        }
      }
    },
    [me, sendOrKeep],
  );

  /** Shows a toast that the server has stored a completion, with a button to undo it. */
  const sayCompleted = useCallback(
    ({ stored, lineId }: Exclude<Completed, string>, text: string) =>
      toastCompleted({ task: stored, lineId, text, toPage }),
    [toPage],
  );

  /**
   * Completes a task, with a toast for the outcome.
   * @returns whether it was completed, or kept to be sent later
   */
  const complete = useCallback(
    async (
      task: Task,
      completion: Completion,
      success: string = taskMessages.completed,
    ): Promise<boolean> => {
      if (underWay.current.has(task.id)) return false;
      underWay.current.add(task.id);
      try {
        const outcome = await send(task, completion);
        if (typeof outcome === 'object') {
          sayCompleted(outcome, completedText(outcome.stored, completion.day, success));
        }
        return outcome !== 'left';
      } catch (error) {
        if (error instanceof NotKeptError) toastError(error.message);
        else toastFailure(error, taskMessages.statusFailed);
        return false;
      } finally {
        underWay.current.delete(task.id);
      }
    },
    [send, sayCompleted],
  );

  const question: ReactNode =
    asked === undefined
      ? null
      : createElement(CompletionQuestion, { task: asked.task, day: asked.day, onAnswer: asked.answer });
  return { complete, send, sayCompleted, question };
}

/** Returns the task with the present values from a conflict; undefined for any other error. */
function presentTask(seen: Task, error: unknown): Task | undefined {
  const wire = wireErrorOf(error);
  if (wire?.code !== 'conflict' || wire.version === undefined) return undefined;
  // The cast is safe: `tasks.complete` answers a conflict with present values of the task's own fields.
  return { ...seen, ...(wire.fields as Partial<Task>), version: wire.version };
}
