import { type FormEvent, useState } from 'react';
import type { Period } from '#shared/check-periods.ts';
import { formatWeekdayDate } from '#shared/dates.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { Button } from '../../../ui/button.tsx';
import { CancelButton } from '../../../ui/cancel-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { useLogCommands } from './use-log-commands.ts';

type Props = { site: { id: string; name: string }; kind: CheckKind; period: Period; onClose: () => void };

const REASON_MAX = 1000;

/** Dialog that asks for the reason of a missed period. */
export default function ExplainDialog({ site, kind, period, onClose }: Props) {
  const { explain } = useLogCommands();
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const said = reason.trim();
    if (said === '') {
      setWrong(checkMessages.reasonRequired);
      return;
    }
    setBusy(true);
    const problem = await explain({ buildingId: site.id, kind, day: period.start, reason: said });
    setBusy(false);
    if (problem === undefined) onClose();
    else setWrong(problem);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={logMessages.reasonTitle}
      subtitle={`${site.name} · ${formatWeekdayDate(period.start)} – ${formatWeekdayDate(period.end)}`}
      size="sm"
      dirty={reason.trim() !== '' && !busy}
    >
      <form noValidate onSubmit={(event) => void submit(event)} aria-busy={busy}>
        <TextArea
          label="Reason"
          rows={3}
          autoFocus
          value={reason}
          maxLength={REASON_MAX}
          error={wrong}
          onChange={(event) => {
            setReason(event.target.value);
            setWrong(undefined);
          }}
        />
        <DialogActions>
          <CancelButton />
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? 'Saving...' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
