import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { createIssueInput } from '#shared/features/issues/issues.ts';
import { ISSUE_PRIORITIES, ISSUE_PRIORITY_LABELS } from '#shared/features/issues/issues.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { toastFailure } from '../../../forms/toasts.ts';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { useSendOrKeep } from '../../../forms/use-send-or-keep.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useMounted } from '../../../lib/use-mounted.ts';
import { formatError } from '../../../offline/labels.ts';
import { NotKeptError } from '../../../offline/queue/not-kept-error.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { toastError } from '../../../ui/feedback/toast.ts';
import { Options, SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { PhotoField } from '../../photos/photo-field.tsx';
import { PhotosInProgressContext } from '../../photos/photos-in-progress.ts';
import { useForgetReport } from './report-draft.ts';
import { reportFormPath } from './report-path.ts';
import { isTyped, useReportDraft } from './use-report-draft.ts';

const formSchema = createIssueInput.pick({ title: true, description: true, priority: true });

type Props = {
  buildingId: string;
  /** Called once the issue is on the server or in the send queue. */
  onDone: () => void;
  /** Selects the wording of the outcome: that of the issues page or of the dashboard's dialog. */
  from?: 'dashboard' | 'issues';
  /** Called with true if anything is entered, so that the surrounding dialog asks before it closes. */
  onDirty?: (dirty: boolean) => void;
  /** The refused report being corrected. */
  edits?: QueuedCommand;
};

/** Form that reports an issue at a building. The draft is kept on this device until it is sent or discarded. */
export function IssueForm({ buildingId, onDone, from = 'dashboard', onDirty, edits }: Props) {
  const forget = useForgetReport();
  const mounted = useMounted();
  const sendOrKeep = useSendOrKeep();
  const preview = useReferencePreview(buildingId);
  const draft = useReportDraft(buildingId, edits);
  const { taken, preparing } = draft;
  const { photos } = taken;
  const form = useCommandForm({
    blank: draft.kept,
    schema: formSchema,
    send,
    success: (made) =>
      typeof made !== 'string'
        ? undefined
        : from === 'issues'
          ? messages.issues.created(made)
          : messages.issues.reported,
    failure: (error) =>
      error instanceof NotKeptError
        ? toastError(error.message)
        : toastFailure(
            error,
            from === 'issues' ? messages.issues.createFailed : messages.issues.reportFailed,
          ),
    onType: draft.keep,
  });
  const touched = isTyped(form.values) || photos.length > 0 || preparing;
  // Edits of a refused report are stored with it until they are submitted, so closing loses nothing.
  const dirty = touched && edits === undefined;
  useEffect(() => onDirty?.(dirty), [onDirty, dirty]);

  /** @returns the issue's reference; undefined if the report waits on this device */
  async function send(values: z.output<typeof formSchema>): Promise<string | undefined> {
    const outcome = await sendOrKeep<'issues.create', { referenceNumber: string; version: number }>({
      command: {
        command: 'issues.create',
        input: { id: idOf(edits) ?? uuidv7(), buildingId, ...values },
        form: { path: reportFormPath(buildingId), value: null },
        title: values.title,
        attachments: photos.map(({ id, blob, sha256, about }) => ({ id, blob, sha256, about })),
        draftKey: draft.draftKey,
        replaces: edits?.id,
      },
      keptText: messages.issues.reportKept,
      send: (input, { signal }) => api.issues.create.mutate(input, { signal }),
    });
    leave();
    return outcome === 'kept' ? undefined : outcome.referenceNumber;
  }

  /** Closes the form, unless the person left it during the submit and may be writing the next report. */
  function leave() {
    if (edits === undefined) forget(buildingId, mounted.current ? undefined : form.values);
    if (mounted.current) onDone();
  }

  return (
    <CommandForm form={form} dirty={dirty} className="grid gap-4">
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
      <TextField label="Title" autoFocus autoComplete="off" disabled={form.busy} {...form.text('title')} />
      <TextArea label="Description" rows={4} disabled={form.busy} {...form.text('description')} />
      <SelectField label="Priority" disabled={form.busy} {...form.choice('priority', ISSUE_PRIORITIES)}>
        <Options values={ISSUE_PRIORITIES} labels={ISSUE_PRIORITY_LABELS} />
      </SelectField>
      <PhotosInProgressContext value={draft.prepare}>
        <PhotoField of="the issue" taken={taken} disabled={form.busy || draft.reading} />
      </PhotosInProgressContext>
      <FormActions form={form} action="Create Issue" pending="Creating..." disabled={preparing} />
    </CommandForm>
  );
}

/**
 * Returns the reference number that the issue will get unless another issue is reported first. The report is sent without
 * this number.
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

/** Returns the id of the refused issue. The corrected report keeps the id, so that the server refuses a second copy. */
function idOf(item: QueuedCommand | undefined): string | undefined {
  const id: unknown = Reflect.get(Object(item?.input), 'id');
  return typeof id === 'string' ? id : undefined;
}
