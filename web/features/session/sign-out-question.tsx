import { offlineMessages } from '#shared/offline-messages.ts';
import { formatUnsent } from '../../offline/labels.ts';
import type { QueueCounts } from '../../offline/types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';

const words = offlineMessages;

type Props = {
  unsent: QueueCounts;
  onStay: () => void;
  onLeave: () => void;
};

/** Confirmation before signing out with unsent records on this device (rule O7 of web/offline). */
export function SignOutQuestion({ unsent, onStay, onLeave }: Props) {
  return (
    <Dialog open size="sm" title={words.signOutTitle} onClose={onStay}>
      <p>{words.signOutText(formatUnsent(unsent))}</p>
      <DialogActions>
        <Button onClick={onLeave}>Sign out anyway</Button>
        <Button variant="primary" onClick={onStay}>
          Stay signed in
        </Button>
      </DialogActions>
    </Dialog>
  );
}
