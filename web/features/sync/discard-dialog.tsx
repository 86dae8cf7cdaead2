import { offlineMessages } from '#shared/offline/offline-messages.ts';
import type { QueuedCommand } from '../../offline/types.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { toastError, toastSuccess } from '../../ui/feedback/toast.ts';

const words = offlineMessages;

type Props = { item: QueuedCommand; discard: (id: string) => Promise<boolean>; onClose: () => void };

/** Confirmation before a queued command is discarded. */
export function DiscardDialog({ item, discard, onClose }: Props) {
  async function discardIt() {
    onClose();
    try {
      if (await discard(item.id)) toastSuccess(words.discarded);
      else toastError(words.discardSending);
    } catch {
      toastError(words.actionFailed);
    }
  }

  return (
    <ConfirmDialog
      title={words.discardTitle}
      action="Discard"
      cancel="Keep it"
      onConfirm={discardIt}
      onClose={onClose}
    >
      <p>{words.discardText(item.title)}</p>
      {item.attempts > 0 && item.state === 'saved' && (
        <p className="mt-2 text-ink-2">{words.mayHaveArrived}</p>
      )}
    </ConfirmDialog>
  );
}
