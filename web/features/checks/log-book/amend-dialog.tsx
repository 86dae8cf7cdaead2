import { type FormEvent, useRef, useState } from 'react';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { useFocusFirstError } from '../../../lib/use-focus-first-error.ts';
import { Button } from '../../../ui/button.tsx';
import { CancelButton } from '../../../ui/cancel-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { AmendFields } from './amend-fields.tsx';
import { amendmentOf, type Draft, draftOf, fieldsOf } from './amendment.ts';
import type { LogEntry } from './log-entry.ts';
import { logNumberText } from './log-number.ts';
import { useLogCommands } from './use-log-commands.ts';

type Props = { entry: LogEntry; onClose: () => void; onAmended: () => void };

const REASON_MAX = 1_000;

/**
 * Dialog that amends an entry: corrected values and the reason. The original entry stays in the log, struck through.
 */
export default function AmendDialog({ entry, onClose, onAmended }: Props) {
  const before = draftOf(entry);
  const [id] = useState(() => uuidv7());
  const [draft, setDraft] = useState<Draft>(before);
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { amend } = useLogCommands();
  useFocusFirstError(form, wrong, busy);
  const changed = JSON.stringify(draft) !== JSON.stringify(before);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const checked = amendmentOf(entry, draft, reason, id);
    const found = changed ? checked.errors : { reason: logMessages.nothingChanged, ...checked.errors };
    if (checked.input === undefined || Object.keys(found).length > 0) {
      setWrong(found);
      return;
    }
    setBusy(true);
    const refused = await amend(checked.input);
    setBusy(false);
    if (refused === undefined) onAmended();
    else setWrong(refused);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={logMessages.amendTitle}
      subtitle={`${entry.subjectName} · ${entry.buildingName} · ${logNumberText(entry.logNumber)}`}
      dirty={(changed || reason.trim() !== '') && !busy}
      size="sm"
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid gap-4"
        aria-busy={busy}
      >
        <p className="rounded-control bg-info-soft px-3 py-2 text-info text-sm">{logMessages.amendHint}</p>
        <AmendFields
          fields={fieldsOf(entry)}
          draft={draft}
          onChange={(patch) => setDraft({ ...draft, ...patch })}
          errors={wrong}
        />
        <TextArea
          label="Reason"
          rows={2}
          value={reason}
          maxLength={REASON_MAX}
          error={wrong['reason']}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions>
          <CancelButton />
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? 'Saving...' : 'Save amendment'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
