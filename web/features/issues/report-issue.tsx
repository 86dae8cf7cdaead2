import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ISSUE_PRIORITIES, ISSUE_PRIORITY_LABELS } from '#shared/features/issues.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { fieldErrorsOf } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { useMounted } from '../../lib/use-mounted.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { NotSentError } from '../../live/wire-error.ts';
import { formatError, formatNotKept } from '../../offline/labels.ts';
import type { QueuedCommand } from '../../offline/types.ts';
import { useSendQueue } from '../../offline/use-send-queue.ts';
import { Button } from '../../ui/button.tsx';
import { CancelButton } from '../../ui/cancel-button.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { PhotoField } from '../photos/photo-field.tsx';
import { PhotosInProgressContext } from '../photos/photos-in-progress.ts';
import { useForgetReport } from './report-draft.ts';
import { reportFormPath } from './report-path.ts';
import { toastFailure, toastSuccess, toastUncertain } from './toasts.ts';
import { type ReportOutput, useReportForm } from './use-report-form.ts';

const FIELDS = ['title', 'description', 'priority'] as const;

type Props = {
  buildingId: string;
  /** Called once the issue is on the server or in the send queue. */
  onDone: () => void;
  /** Selects the wording of the outcome: that of the issues page or of the dashboard's dialog. */
  from?: 'dashboard' | 'issues';
  /** Called with whether anything is entered, so that the surrounding dialog asks before it closes. */
  onDirty?: (dirty: boolean) => void;
  /** The refused report being corrected. */
  edits?: QueuedCommand;
};

/** Form that reports an issue at a building. The draft is kept on this device until it is sent or discarded. */
export function IssueForm({ buildingId, onDone, from = 'dashboard', onDirty, edits }: Props) {
  const forget = useForgetReport();
  const mounted = useMounted();
  const { mutate } = useLiveMutation();
  const { enqueue } = useSendQueue();
  const preview = useReferencePreview(buildingId);
  const { form, taken, preparing, prepare, reading, draftKey, touched } = useReportForm(buildingId, edits);
  const { photos } = taken;
  const { errors, isSubmitting } = form.formState;

  // Edits of a refused report are stored with it until they are submitted, so closing loses nothing.
  const dirty = (touched || preparing) && edits === undefined;
  useEffect(() => onDirty?.(dirty), [onDirty, dirty]);

  async function onSubmit(values: ReportOutput) {
    // A report with photos is stored on this device together with them before its success is shown; the send queue
    // sends both.
    if (edits !== undefined || photos.length > 0) return keep(idOf(edits) ?? uuidv7(), values);
    const id = uuidv7();
    try {
      const { referenceNumber } = await mutate({
        input: { id, buildingId, ...values },
        send: (input, { signal }) => api.issues.create.mutate(input, { signal }),
        onUncertain: toastUncertain,
      });
      toastSuccess(from === 'issues' ? messages.issues.created(referenceNumber) : messages.issues.reported);
      leave();
    } catch (error) {
      if (error instanceof NotSentError) return keep(id, values);
      const wrong = fieldErrorsOf(error);
      for (const field of FIELDS) {
        const message = wrong[field];
        if (message !== undefined) form.setError(field, { message }, { shouldFocus: true });
      }
      toastFailure(error, from === 'issues' ? messages.issues.createFailed : messages.issues.reportFailed);
    }
  }

  /** Adds the report to the send queue, which announces its reference number once it is sent. */
  async function keep(id: string, values: ReportOutput) {
    try {
      await enqueue({
        command: 'issues.create',
        input: { id, buildingId, ...values },
        form: { path: reportFormPath(buildingId), value: null },
        title: values.title,
        attachments: photos.map(({ id, blob, sha256, about }) => ({ id, blob, sha256, about })),
        draftKey,
        replaces: edits?.id,
      });
    } catch (error) {
      toast({ title: messages.common.error, text: formatNotKept(error), tone: 'destructive' });
      return;
    }
    toast({ title: offlineMessages.states.saved, text: messages.issues.reportKept });
    leave();
  }

  /**
   * Discards the draft and closes the form. After unmounting, the draft is discarded only if it is still that of this
   * report: the person may be writing the next one.
   */
  function leave() {
    if (edits === undefined) forget(buildingId, mounted.current ? undefined : form.getValues());
    if (mounted.current) onDone();
  }

  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(onSubmit)(event)} className="grid gap-4">
      {edits !== undefined && (
        <div role="alert" className="grid gap-1 rounded-panel bg-bad-soft px-3.5 py-3 text-bad">
          <p className="font-medium">{edits.lastError !== null && formatError(edits.lastError)}</p>
          <p className="text-sm">{offlineMessages.editing}</p>
        </div>
      )}
      <p className="min-h-5 text-ink-2 text-sm" aria-live="polite">
        {preview.failed && messages.issues.referenceFailed}
        {preview.reference !== undefined && (
          <>
            Next reference: <span className="font-medium text-ink tabular-nums">{preview.reference}</span>{' '}
            (may change)
          </>
        )}
      </p>
      <TextField
        label="Title"
        autoFocus
        autoComplete="off"
        maxLength={200}
        disabled={isSubmitting}
        error={errors.title?.message}
        {...form.register('title')}
      />
      <TextArea
        label="Description"
        rows={4}
        maxLength={5000}
        disabled={isSubmitting}
        error={errors.description?.message}
        {...form.register('description')}
      />
      <SelectField
        label="Priority"
        disabled={isSubmitting}
        error={errors.priority?.message}
        {...form.register('priority')}
      >
        {ISSUE_PRIORITIES.map((priority) => (
          <option key={priority} value={priority}>
            {ISSUE_PRIORITY_LABELS[priority]}
          </option>
        ))}
      </SelectField>
      <PhotosInProgressContext value={prepare}>
        <PhotoField of="the issue" taken={taken} disabled={isSubmitting || reading} />
      </PhotosInProgressContext>
      <DialogActions>
        <CancelButton disabled={isSubmitting} />
        <Button type="submit" variant="primary" disabled={isSubmitting || preparing}>
          {isSubmitting ? 'Creating...' : 'Create Issue'}
        </Button>
      </DialogActions>
    </form>
  );
}

/**
 * Returns the reference number that the issue will get unless another is reported first. The report does not depend on
 * it.
 */
function useReferencePreview(buildingId: string): { reference: string | undefined; failed: boolean } {
  const { data, error } = useQuery({
    queryKey: ['issues.nextReference', buildingId],
    queryFn: ({ signal }) => api.issues.nextReference.query({ buildingId }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  return { reference: data?.reference, failed: error !== null };
}

/** Returns the id of the refused issue, which it keeps, so that the server refuses a second copy. */
function idOf(item: QueuedCommand | undefined): string | undefined {
  const id: unknown = Reflect.get(Object(item?.input), 'id');
  return typeof id === 'string' ? id : undefined;
}
