import { importMessages } from '#shared/features/imports-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';

type Props = { onStay: () => void; onLeave: () => void };

/** Confirmation before leaving the page while unsaved links would be lost. */
export function LeaveQuestion({ onStay, onLeave }: Props) {
  return (
    <Dialog open size="sm" title={importMessages.leaveTitle} onClose={onStay}>
      <p>{importMessages.leaveText}</p>
      <DialogActions>
        <Button onClick={onLeave}>Leave anyway</Button>
        <Button variant="primary" onClick={onStay}>
          Stay here
        </Button>
      </DialogActions>
    </Dialog>
  );
}
