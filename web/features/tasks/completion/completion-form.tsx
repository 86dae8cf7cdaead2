import { useState } from 'react';
import { addDays, addMonths, formatDay } from '#shared/dates.ts';
import { certificateFault } from '#shared/features/tasks/certificate-fault.ts';
import { isCompletionDay } from '#shared/features/tasks/task-schedule.ts';
import { completeTaskInput, type Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { toastFailure } from '../../../forms/toasts.ts';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { presentDay } from '../../../lib/time/present-time.ts';
import { formatError } from '../../../offline/labels.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import { NotKeptError } from '../../../offline/queue/not-kept-error.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { toastError } from '../../../ui/feedback/toast.ts';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { PhotoField } from '../../photos/photo-field.tsx';
import { PhotosInProgressContext, usePhotosInProgress } from '../../photos/photos-in-progress.ts';
import { useFormPhotos } from '../../photos/use-form-photos.ts';
import { completionDraftKeys, completionFieldsIn } from '../completion-draft.ts';
import { missedBy } from '../missed-by.ts';
import { completedText } from '../task-overlay.ts';
import { isDueByCertificate } from './goes-by-certificate.ts';
import type { useCompleteTask } from './use-complete-task.ts';

const fields = completeTaskInput.pick({ day: true, stated: true, notes: true, missedReason: true });

/**
 * Checks the dates at once, and without a connection; the server checks them again by its own day. A completion with photos
 * is queued before the server sees it, so without this check a wrong date would be refused after the dialog has closed.
 */
function schemaFor(task: Task) {
  return fields.superRefine(({ day, stated, missedReason }, check) => {
    const today = presentDay();
    if (!isCompletionDay(day, today)) {
      const message = day > today ? taskMessages.completionFuture : taskMessages.completionTooOld;
      check.addIssue({ code: 'custom', path: ['day'], message });
    } else if (task.completedOn !== null && day < task.completedOn) {
      const message = taskMessages.completedLater(formatDay(task.completedOn));
      check.addIssue({ code: 'custom', path: ['day'], message });
    } else if (missedReason === '' && missedBy(task, day) > 0) {
      check.addIssue({ code: 'custom', path: ['missedReason'], message: taskMessages.reasonRequired });
    }
    const fault = isDueByCertificate(task) ? certificateFault(stated, { day, today }) : undefined;
    if (fault !== undefined) check.addIssue({ code: 'custom', path: ['stated'], message: fault });
  });
}

type Props = Pick<ReturnType<typeof useCompleteTask>, 'send' | 'sayCompleted'> & {
  /** The task as the person saw it. The completion contains the task's occurrence. */
  task: Task;
  /** The initial day; today if absent. */
  day?: string | undefined;
  /** Photos that were taken before the dialog opened. */
  files?: readonly File[] | undefined;
  /** The refused completion being corrected. */
  edits?: QueuedCommand | undefined;
  onDone: () => void;
};

/** Form with the day of a completion, notes, photos, and the certificate's date if it determines the next occurrence. */
export function CompletionForm({ task, day, files, send, sayCompleted, edits, onDone }: Props) {
  const { drafts } = useOffline();
  const { draftKey, photosKey } = completionDraftKeys(task, edits);
  const taken = useFormPhotos(photosKey);
  const { photos } = taken;
  const [preparing, prepare] = usePhotosInProgress();
  const [blank] = useState(() =>
    completionFieldsIn(edits === undefined ? { day } : drafts.get(draftKey).value),
  );
  const [schema] = useState(() => schemaFor(task));
  const form = useCommandForm({
    blank,
    schema,
    send: async (completion) => {
      const outcome = await send(task, { ...completion, photos }, { draftKey, replaces: edits?.id });
      if (typeof outcome === 'object') {
        sayCompleted(outcome, completedText(outcome.stored, completion.day, taskMessages.completed));
      }
    },
    failure: (error) =>
      error instanceof NotKeptError
        ? toastError(error.message)
        : toastFailure(error, taskMessages.statusFailed),
    onSent: onDone,
    onType: (values) => {
      if (edits !== undefined) drafts.set(draftKey, { ...values });
    },
  });
  const today = presentDay();
  const byCertificate = isDueByCertificate(task);
  const missed = isCompletionDay(form.values.day, today) ? missedBy(task, form.values.day) : 0;

  return (
    <CommandForm
      form={form}
      dirty={edits === undefined && (form.dirty || photos.length > 0)}
      className="grid gap-4"
    >
      {edits !== undefined && edits.lastError !== null && (
        <p role="alert" className="rounded-panel bg-bad-soft px-3.5 py-3 font-medium text-bad">
          {formatError(edits.lastError)}
        </p>
      )}
      <TextField
        label="Completed on"
        type="date"
        // No autofocus with photos, because there may be nothing more to fill in.
        autoFocus={files === undefined}
        min={addMonths(today, -12 * 30)}
        max={today}
        disabled={form.busy}
        {...form.text('day')}
      />
      {byCertificate && (
        <TextField
          label="Date on the certificate"
          type="date"
          hint={taskMessages.statedHint}
          min={addDays(form.values.day || today, 1)}
          max={addMonths(today, 120)}
          disabled={form.busy}
          {...form.optional('stated')}
        />
      )}
      {missed > 0 && (
        <TextArea
          label={taskMessages.missedReason(missed)}
          rows={2}
          disabled={form.busy}
          {...form.text('missedReason')}
        />
      )}
      <TextArea label="Notes" rows={3} disabled={form.busy} {...form.text('notes')} />
      <PhotosInProgressContext value={prepare}>
        <PhotoField
          of="the completion"
          taken={taken}
          first={files}
          disabled={form.busy || taken.state === 'loading'}
        />
      </PhotosInProgressContext>
      <FormActions form={form} action="Complete" pending="Completing..." disabled={preparing > 0} />
    </CommandForm>
  );
}
