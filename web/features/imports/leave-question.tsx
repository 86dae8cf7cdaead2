import { importMessages } from '#shared/features/imports-messages.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

type Props = { onStay: () => void; onLeave: () => void };

/** Asked before another page opens while links that no other person has are not saved. */
export function LeaveQuestion({ onStay, onLeave }: Props) {
  return (
    <ConfirmDialog
      title={importMessages.leaveTitle}
      action="Leave anyway"
      variant="secondary"
      cancel="Stay here"
      onConfirm={onLeave}
      onClose={onStay}
    >
      <p>{importMessages.leaveText}</p>
    </ConfirmDialog>
  );
}
