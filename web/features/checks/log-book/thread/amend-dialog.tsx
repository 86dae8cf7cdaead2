import { useState } from 'react';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { reasonSchema } from '#shared/features/checks/define.ts';
import type { AmendEntryInput } from '#shared/features/checks/index.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CommandForm } from '../../../../forms/command-form.tsx';
import { FormActions } from '../../../../forms/form-actions.tsx';
import { useCommandForm } from '../../../../forms/use-command-form.ts';
import { api } from '../../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../../live/hooks/use-live-mutation.ts';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import type { LogEntry } from '../records/log-entry.ts';
import { logNumberText } from '../records/log-number.ts';
import { AmendFields } from './amend-fields.tsx';
import { amendmentOf, type Checked, type Draft, draftOf, fieldsOf } from './amendment.ts';

type Props = { entry: LogEntry; onClose: () => void; onAmended: () => void };

const schema = {
  shape: { reason: reasonSchema },
  safeParse(value: unknown) {
    // The cast is safe: `value` is the result of `input` below.
    const { input, errors } = value as Checked;
    const issues = Object.entries(errors).map(([path, message]) => ({ path: [path], message }));
    return input === undefined || issues.length > 0
      ? ({ success: false, error: { issues } } as const)
      : ({ success: true, data: input } as const);
  },
};

/**
 * Dialog that amends an entry: corrected values and the reason. The original entry stays in the log, struck through.
 */
export default function AmendDialog({ entry, onClose, onAmended }: Props) {
  const { mutate } = useLiveMutation();
  const before = draftOf(entry);
  const [id] = useState(() => uuidv7());
  const form = useCommandForm({
    blank: { ...before, reason: '' } as Draft,
    schema,
    input({ reason = '', ...draft }): Checked {
      const { input, errors } = amendmentOf(entry, draft, reason, id);
      const isSame = JSON.stringify(draft) === JSON.stringify(before);
      return { input, errors: isSame ? { reason: logMessages.nothingChanged, ...errors } : errors };
    },
    send: (input) =>
      mutate({
        input,
        // The cast is safe: `all` is `input` with an operation id; the compiler cannot derive that for a union type.
        send: (all, context) => api.checks.amend.mutate(all as AmendEntryInput, context),
      }),
    about: entry.subjectName,
    success: checkMessages.amended,
    failure: checkMessages.amendFailed,
    onSent: onAmended,
  });

  return (
    <Dialog
      open
      onClose={onClose}
      title={logMessages.amendTitle}
      subtitle={`${entry.subjectName} · ${entry.buildingName} · ${logNumberText(entry.logNumber)}`}
      size="sm"
    >
      <CommandForm form={form} className="grid gap-4">
        <p className="rounded-control bg-info-soft px-3 py-2 text-info text-sm">{logMessages.amendHint}</p>
        <AmendFields
          fields={fieldsOf(entry)}
          draft={form.values}
          onChange={(field, to) => form.set(field, to)}
          errors={form.errors}
        />
        <TextArea label="Reason" rows={2} {...form.text('reason')} />
        <FormActions form={form} action="Save amendment" pending="Saving..." />
      </CommandForm>
    </Dialog>
  );
}
