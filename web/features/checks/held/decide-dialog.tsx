import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import type { HeldVisit } from '#shared/features/checks/procedure-answers.ts';
import { type DecideHeldInput, decideHeldInput } from '#shared/features/checks/queries.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { tell } from '../../../forms/toasts.ts';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';

type Props = { visit: HeldVisit; onClose: () => void };

const [, refusal] = decideHeldInput.options;
const schema = refusal.omit({ operationId: true });
const BLANK = { reason: '' };

/** Confirms the acceptance of a held record into the log, or asks for the reason of a refusal. */
export function DecideDialog({ accept, ...props }: Props & { accept: boolean }) {
  return accept ? <AcceptDialog {...props} /> : <RefuseDialog {...props} />;
}

function AcceptDialog({ visit, onClose }: Props) {
  const decide = useDecision();
  return (
    <ConfirmDialog
      title={heldMessages.acceptTitle}
      subtitle={subtitleOf(visit)}
      action={heldMessages.accept}
      pending="Saving..."
      variant="primary"
      onConfirm={async () => {
        const words = {
          about: subtitleOf(visit),
          success: heldMessages.accepted,
          failure: heldMessages.failed,
        };
        const answer = await tell(decide({ id: visit.id, accept: true }), words);
        if (answer !== undefined) onClose();
      }}
      onClose={onClose}
    >
      <p>{heldMessages.acceptText(visit.recordedByName)}</p>
    </ConfirmDialog>
  );
}

function RefuseDialog({ visit, onClose }: Props) {
  const form = useCommandForm({
    blank: BLANK,
    schema,
    input: ({ reason }) => ({ id: visit.id, accept: false, reason }),
    send: useDecision(),
    about: subtitleOf(visit),
    success: heldMessages.refused,
    failure: heldMessages.failed,
    onSent: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={heldMessages.refuseTitle} subtitle={subtitleOf(visit)} size="sm">
      <CommandForm form={form} className="grid gap-4">
        <p>{heldMessages.refuseText(visit.recordedByName)}</p>
        <TextArea label={heldMessages.reason} rows={3} autoFocus {...form.text('reason')} />
        <FormActions form={form} action={heldMessages.refuse} pending="Saving..." variant="danger" />
      </CommandForm>
    </Dialog>
  );
}

function subtitleOf({ kind, building }: HeldVisit): string {
  return `${titleOf(kind)} · ${building?.name ?? heldMessages.noSite}`;
}

type Decision = { id: string } & ({ accept: true } | { accept: false; reason: string });

function useDecision() {
  const { mutate } = useLiveMutation();
  return (decision: Decision) =>
    mutate({
      input: decision,
      send: (input: DecideHeldInput, context) => api.checks.decideHeld.mutate(input, context),
    });
}
