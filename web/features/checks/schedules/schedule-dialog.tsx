import { type FormEvent, useState } from 'react';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { SiteSchedule } from '#shared/features/checks/procedure-answers.ts';
import { formatTimes, stepInForce } from '#shared/features/checks/schedule.vocabulary.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { messages } from '#shared/messages.ts';
import { fieldErrorsOf, isShownAtFields, messageFor } from '../../../lib/message-for.ts';
import { api } from '../../../lib/trpc.ts';
import { useMounted } from '../../../lib/use-mounted.ts';
import { useLiveMutation } from '../../../live/use-live-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { CancelButton } from '../../../ui/cancel-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { toast } from '../../../ui/toast.ts';
import type { KindSchedule } from './schedule-card.tsx';

type Props = { schedule: SiteSchedule; of: KindSchedule; onClose: () => void };

const NOT_DUE = 'none';

/** Dialog that sets how often a kind is due at a site from a given day, or that it is not due. */
export function ScheduleDialog({ schedule, of, onClose }: Props) {
  const { kind, timesAllowed, steps, earliest } = of;
  const { buildingId, buildingName, today } = schedule;
  const mounted = useMounted();
  const { mutate } = useLiveMutation();
  const now = stepInForce(steps, today);
  const before = now?.isDue === false ? NOT_DUE : String(now?.times ?? 1);
  const [often, setOften] = useState(before);
  const [from, setFrom] = useState(today);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const isDue = often !== NOT_DUE;

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setWrong({});
    try {
      await mutate({
        input: { buildingId, kind, from, isDue, times: isDue ? Number(often) : 1 },
        send: (input, context) => api.checks.setSchedule.mutate(input, context),
      });
      toast({ title: messages.common.success, text: scheduleMessages.saved });
      if (mounted.current) onClose();
    } catch (error) {
      setWrong(fieldErrorsOf(error));
      setBusy(false);
      if (isShownAtFields(error)) return;
      const text = messageFor(error, scheduleMessages.failed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={CHECK_VOCABULARY[kind].title}
      subtitle={buildingName}
      size="sm"
      dirty={(often !== before || from !== today) && !busy}
    >
      <form noValidate onSubmit={(event) => void submit(event)} aria-busy={busy} className="grid gap-4">
        <SelectField
          label={scheduleMessages.howOften}
          value={often}
          error={wrong['times']}
          hint={timesAllowed.length > 1 ? scheduleMessages.healthcareHint : undefined}
          onChange={({ target }) => setOften(target.value)}
          disabled={busy}
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
          value={from}
          error={wrong['from']}
          hint={scheduleMessages.fromHint}
          onChange={({ target }) => setFrom(target.value)}
          disabled={busy}
        />
        <DialogActions>
          <CancelButton disabled={busy} />
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? 'Saving...' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
