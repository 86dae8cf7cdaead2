import { ConfirmDialog } from './confirm-dialog.tsx';

type Props = { title: string; text: string; onStay: () => void; onLeave: () => void };

/** Asked before another page opens while something on this one would be lost (`useLeaveGuard`). */
export function LeaveQuestion({ title, text, onStay, onLeave }: Props) {
  return (
    <ConfirmDialog
      title={title}
      action="Leave anyway"
      variant="secondary"
      cancel="Stay here"
      onConfirm={onLeave}
      onClose={onStay}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}
