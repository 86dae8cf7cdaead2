import { messages } from '#shared/messages.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';

type Props = { reference: string; onReply: (close: boolean) => void };

/** The dialog of the closing question. */
export default function ClosingDialog({ reference, onReply }: Props) {
  return (
    <ConfirmDialog
      title={`Close ${reference}?`}
      action="Close issue"
      variant="primary"
      cancel="Keep it open"
      onConfirm={() => onReply(true)}
      onClose={() => onReply(false)}
    >
      <p className="text-ink-2">{messages.issues.noRetest(reference)}</p>
    </ConfirmDialog>
  );
}
