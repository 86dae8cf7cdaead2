import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { SiteSchedule } from '#shared/features/checks/procedure-answers.ts';
import { setScheduleInput } from '#shared/features/checks/queries.ts';
import { formatTimes, stepInForce } from '#shared/features/checks/schedule.vocabulary.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { KindSchedule } from './schedule-card.tsx';

type Props = { schedule: SiteSchedule; of: KindSchedule; onClose: () => void };

const NOT_DUE = 'none';
const schema = setScheduleInput.omit({ operationId: true });

/** Dialog that sets how often a kind is due at a site from a given day, or that it is not due. */
export function ScheduleDialog({ schedule, of, onClose }: Props) {
  const { kind, timesAllowed, steps, earliest } = of;
  const { buildingId, buildingName, today } = schedule;
  const { mutate } = useLiveMutation();
  const now = stepInForce(steps, today);
  const form = useCommandForm({
    blank: { times: now?.isDue === false ? NOT_DUE : String(now?.times ?? 1), from: today },
    schema,
    input({ times, from }) {
      const isDue = times !== NOT_DUE;
      return { buildingId, kind, from, isDue, times: isDue ? Number(times) : 1 };
    },
    send: (input) =>
      mutate({ input, send: (whole, context) => api.checks.setSchedule.mutate(whole, context) }),
    about: buildingName,
    success: scheduleMessages.saved,
    failure: scheduleMessages.failed,
    onSent: onClose,
  });

  return (
    <Dialog open onClose={onClose} title={CHECK_VOCABULARY[kind].title} subtitle={buildingName} size="sm">
      <CommandForm form={form} className="grid gap-4">
        <SelectField
          label={scheduleMessages.howOften}
          hint={timesAllowed.length > 1 ? scheduleMessages.healthcareHint : undefined}
          disabled={form.busy}
          {...form.text('times')}
        >
          {[...new Set([...timesAllowed, now?.times ?? 1])].map((times) => (
            <option key={times} value={times}>
              {formatTimes(kind, times)}
            </option>
          ))}
          <option value={NOT_DUE}>{scheduleMessages.notDue}</option>
        </SelectField>
        <TextField
          label={scheduleMessages.from}
          type="date"
          min={earliest}
          hint={scheduleMessages.fromHint}
          disabled={form.busy}
          {...form.text('from')}
        />
        <FormActions form={form} action="Save" pending="Saving..." />
      </CommandForm>
    </Dialog>
  );
}
