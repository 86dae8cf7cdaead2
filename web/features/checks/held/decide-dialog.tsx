import { type FormEvent, useState } from 'react';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import type { HeldVisit } from '#shared/features/checks/procedure-answers.ts';
import { messages } from '#shared/messages.ts';
import { fieldErrorsOf, isShownAtFields, messageFor } from '../../../lib/message-for.ts';
import { api } from '../../../lib/trpc.ts';
import { useMounted } from '../../../lib/use-mounted.ts';
import { useLiveMutation } from '../../../live/use-live-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { CancelButton } from '../../../ui/cancel-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { toast } from '../../../ui/toast.ts';

type Props = { visit: HeldVisit; accept: boolean; onClose: () => void };
type Decision = { id: string; accept: true } | { id: string; accept: false; reason: string };

const REASON_MAX = 1_000;

/** Confirms the acceptance of a held record into the log, or asks for the reason of a refusal. */
export function DecideDialog({ visit, accept, onClose }: Props) {
  const mounted = useMounted();
  const { mutate } = useLiveMutation();
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const said = reason.trim();
  const title = titleOf(visit.kind);
  const text = accept ? heldMessages.acceptText : heldMessages.refuseText;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!accept && said === '') {
      setWrong(checkMessages.reasonRequired);
      return;
    }
    setBusy(true);
    try {
      const decision: Decision = accept
        ? { id: visit.id, accept: true }
        : { id: visit.id, accept: false, reason: said };
      await mutate({
        input: decision,
        send: (input, context) => api.checks.decideHeld.mutate(input, context),
      });
      const done = accept ? heldMessages.accepted : heldMessages.refused;
      toast({ title: messages.common.success, text: done });
      if (mounted.current) onClose();
    } catch (error) {
      setWrong(fieldErrorsOf(error)['reason']);
      setBusy(false);
      if (isShownAtFields(error)) return;
      const failure = messageFor(error, heldMessages.failed);
      toast({ title: messages.common.error, text: failure, tone: 'destructive' });
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={accept ? heldMessages.acceptTitle : heldMessages.refuseTitle}
      subtitle={`${title} · ${visit.building?.name ?? heldMessages.noSite}`}
      size="sm"
      dirty={said !== '' && !busy}
    >
      <form noValidate onSubmit={(event) => void submit(event)} aria-busy={busy} className="grid gap-4">
        <p>{text(visit.recordedByName)}</p>
        {!accept && (
          <TextArea
            label={heldMessages.reason}
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
        )}
        <DialogActions>
          <CancelButton disabled={busy} />
          <Button type="submit" variant={accept ? 'primary' : 'danger'} disabled={busy}>
            {busy ? 'Saving...' : accept ? heldMessages.accept : heldMessages.refuse}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
