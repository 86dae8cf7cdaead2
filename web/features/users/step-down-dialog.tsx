import { userMessages } from '#shared/features/users-messages.ts';
import { ROLE_LABELS, type Role } from '#shared/permissions.ts';
import { Button } from '../../ui/button.tsx';
import { CancelButton } from '../../ui/cancel-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';

type Props = { role: Role | null; onCancel: () => void; onConfirm: (role: Role) => void };

/** Confirmation before an administrator gives up their own role, which they cannot undo themselves. */
export function StepDownDialog({ role, onCancel, onConfirm }: Props) {
  if (role === null) return null;
  return (
    <Dialog open onClose={onCancel} title="Change your own role?" size="sm">
      <p className="text-ink-2">{userMessages.stepDown(ROLE_LABELS[role])}</p>
      <DialogActions>
        <CancelButton />
        <Button variant="danger" onClick={() => onConfirm(role)}>
          Change my role
        </Button>
      </DialogActions>
    </Dialog>
  );
}
