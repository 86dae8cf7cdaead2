import type { Period } from '#shared/check-periods.ts';
import { formatWeekdayDate } from '#shared/dates.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { explainMissedInput } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';

type Props = { site: { id: string; name: string }; kind: CheckKind; period: Period; onClose: () => void };

const schema = explainMissedInput.omit({ operationId: true });
const BLANK = { reason: '' };

/** Dialog that asks for the reason of a missed period. */
export default function ExplainDialog({ site, kind, period, onClose }: Props) {
  const { mutate } = useLiveMutation();
  const form = useCommandForm({
    blank: BLANK,
    schema,
    input: ({ reason }) => ({ id: uuidv7(), buildingId: site.id, kind, day: period.start, reason }),
    send: (input) =>
      mutate({ input, send: (whole, context) => api.checks.explainMissed.mutate(whole, context) }),
    about: site.name,
    success: checkMessages.explained,
    failure: checkMessages.explainFailed,
    duplicateAt: 'reason',
    onSent: onClose,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={logMessages.reasonTitle}
      subtitle={`${site.name} · ${formatWeekdayDate(period.start)} – ${formatWeekdayDate(period.end)}`}
      size="sm"
    >
      <CommandForm form={form}>
        <TextArea label="Reason" rows={3} autoFocus {...form.text('reason')} />
        <FormActions form={form} action="Save" pending="Saving..." />
      </CommandForm>
    </Dialog>
  );
}
