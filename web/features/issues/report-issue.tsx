import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { createIssueInput } from '#shared/features/issues.ts';
import { ISSUE_PRIORITIES, ISSUE_PRIORITY_LABELS } from '#shared/features/issues.words.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { fieldErrorsOf } from '../../lib/message-for.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { NotSentError } from '../../live/wire-error.ts';
import { useOutbox } from '../../offline/use-outbox.ts';
import { notKeptInWords } from '../../offline/words.ts';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../session/session-context.ts';
import { draftKeyOf, forgetDraft } from './report-draft.ts';
import { sayDone, sayFailure, sayUncertain } from './say.ts';

const formSchema = createIssueInput.pick({ title: true, description: true, priority: true });
/** What was typed so far, which need not be valid yet. */
const draftSchema = z.object({
  title: z.string(),
  description: z.string(),
  priority: z.enum(ISSUE_PRIORITIES),
});
type FormInput = z.input<typeof formSchema>;
type FormOutput = z.output<typeof formSchema>;
const EMPTY: FormInput = { title: '', description: '', priority: 'medium' };
const FIELDS = ['title', 'description', 'priority'] as const;

type Props = {
  buildingId: string;
  /** The issue is on the server, or the person gave up. */
  onDone: () => void;
  /** Which pair of sentences tells how it went: the tracker's own, or that of the dialog on the dashboard. */
  from?: 'dashboard' | 'issues';
  /** Whether something is typed, so that the dialog around the form asks before it closes. */
  onDirty?: (dirty: boolean) => void;
};

/** Reports an issue at a building. What is typed is kept on this device until it is sent or thrown away. */
export function IssueForm({ buildingId, onDone, from = 'dashboard', onDirty }: Props) {
  const me = useMe();
  const draftKey = draftKeyOf(me.id, buildingId);
  const { mutate } = useLiveMutation();
  const { enqueue } = useOutbox();
  const preview = useReferencePreview(buildingId);
  const form = useForm<FormInput, unknown, FormOutput>({
    resolver: zodResolver(formSchema),
    defaultValues: readDraft(draftKey),
  });
  const { errors, isSubmitting } = form.formState;

  useEffect(() => {
    const watching = form.watch((values) => {
      const empty = (values.title ?? '') === '' && (values.description ?? '') === '';
      writeStored('local', draftKey, empty ? undefined : JSON.stringify(values));
      onDirty?.(!empty);
    });
    const { title, description } = form.getValues();
    onDirty?.(title !== '' || description !== '');
    return () => watching.unsubscribe();
  }, [form, draftKey, onDirty]);

  async function onSubmit(values: FormOutput) {
    const id = uuidv7();
    try {
      const { referenceNumber } = await mutate({
        input: { id, buildingId, ...values },
        send: (input, { signal }) => api.issues.create.mutate(input, { signal }),
        onUncertain: sayUncertain,
      });
      forgetDraft(me.id, buildingId);
      sayDone(from === 'issues' ? messages.issues.created(referenceNumber) : messages.issues.reported);
      onDone();
    } catch (error) {
      if (error instanceof NotSentError) return keep(id, values);
      const wrong = fieldErrorsOf(error);
      for (const field of FIELDS) {
        const message = wrong[field];
        if (message !== undefined) form.setError(field, { message }, { shouldFocus: true });
      }
      sayFailure(error, from === 'issues' ? messages.issues.createFailed : messages.issues.reportFailed);
    }
  }

  /** With no connection it waits on this device: the outbox sends it, and says its reference then. */
  async function keep(id: string, values: FormOutput) {
    try {
      await enqueue({ command: 'issues.create', input: { id, buildingId, ...values }, title: values.title });
    } catch (error) {
      toast({ title: messages.common.error, text: notKeptInWords(error), tone: 'destructive' });
      return;
    }
    forgetDraft(me.id, buildingId);
    toast({ title: offlineMessages.states.saved, text: messages.issues.reportKept });
    onDone();
  }

  function discard() {
    forgetDraft(me.id, buildingId);
    onDone();
  }

  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(onSubmit)(event)} className="grid gap-4">
      <p className="min-h-5 text-ink-2 text-sm" aria-live="polite">
        {preview !== undefined && (
          <>
            Reference <span className="font-medium text-ink tabular-nums">{preview}</span>, unless somebody
            else reports first
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
      <DialogActions>
        <Button onClick={discard} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={isSubmitting}>
          {isSubmitting ? 'Creating...' : 'Create Issue'}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The number that the issue will have if nobody else is faster. */
function useReferencePreview(buildingId: string): string | undefined {
  const { data, error } = useQuery({
    queryKey: ['issues.nextReference', buildingId],
    queryFn: ({ signal }) => api.issues.nextReference.query({ buildingId }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (error !== null) sayFailure(error, messages.issues.referenceFailed);
  }, [error]);
  return data?.reference;
}

function readDraft(key: string): FormInput {
  try {
    const draft: unknown = JSON.parse(readStored('local', key) ?? '{}');
    const known = draftSchema.safeParse(draft);
    return known.success ? { ...EMPTY, ...known.data } : EMPTY;
  } catch {
    return EMPTY;
  }
}
