import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import type { QueuedCommand } from '../../offline/types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { toast } from '../../ui/toast.ts';

const words = offlineMessages;

type Props = { item: QueuedCommand; discard: (id: string) => Promise<boolean>; onClose: () => void };

/** Confirmation before a queued command is discarded. */
export function DiscardDialog({ item, discard, onClose }: Props) {
  async function discardIt() {
    onClose();
    try {
      if (await discard(item.id)) toast({ title: messages.common.success, text: words.discarded });
      else toast({ title: messages.common.error, text: words.discardSending, tone: 'destructive' });
    } catch {
      toast({ title: messages.common.error, text: words.actionFailed, tone: 'destructive' });
    }
  }

  return (
    <Dialog open size="sm" title={words.discardTitle} onClose={onClose}>
      <p>{words.discardText(item.title)}</p>
      {item.attempts > 0 && item.state === 'saved' && (
        <p className="mt-2 text-ink-2">{words.mayHaveArrived}</p>
      )}
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" onClick={() => void discardIt()}>
          Discard
        </Button>
      </DialogActions>
    </Dialog>
  );
}
