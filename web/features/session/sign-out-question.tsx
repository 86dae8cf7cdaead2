import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { formatUnsent } from '../../offline/labels.ts';
import type { QueueCounts } from '../../offline/types.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';

const words = offlineMessages;

type Props = {
  unsent: QueueCounts;
  onStay: () => void;
  onLeave: () => void;
};

/** Confirmation before signing out with unsent records on this device (rule O7 of web/offline). */
export function SignOutQuestion({ unsent, onStay, onLeave }: Props) {
  return (
    <ConfirmDialog
      title={words.signOutTitle}
      action="Sign out anyway"
      variant="secondary"
      cancel="Stay signed in"
      onConfirm={onLeave}
      onClose={onStay}
    >
      <p>{words.signOutText(formatUnsent(unsent))}</p>
    </ConfirmDialog>
  );
}
