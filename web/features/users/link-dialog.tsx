import { Copy } from 'lucide-react';
import { formatDateTime } from '#shared/dates.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../ui/dialogs/dialog-actions.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import type { MadeLink } from './use-people.ts';

type Props = { link: MadeLink; onClose: () => void; onMakeAnother: () => void };

/** Result of creating a one-time link. The link is mailed; without mail it is shown once, so that it can be passed on. */
export function LinkDialog({ link, onClose, onMakeAnother }: Props) {
  const url = `${window.location.origin}/${link.kind}/${link.token ?? ''}`;
  const lost = link.mailed === 'failed' || link.mailed === 'unknown';

  async function copy(field: HTMLInputElement | null) {
    field?.select();
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: userMessages.linkCopied });
    } catch {
      // The clipboard API needs https; otherwise the link is selected, to be copied by keyboard.
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={link.kind === 'invite' ? 'Invitation link' : 'Password-reset link'}
      subtitle={link.email}
    >
      <div className="grid gap-3">
        {link.mailed === 'sent' && <p>{userMessages.linkMailed(link.email)}</p>}
        {link.mailed === 'failed' && <p className="text-bad">{userMessages.linkNotMailed}</p>}
        {link.mailed === 'unknown' && <p>{userMessages.linkMadeBefore}</p>}
        {link.token !== undefined && (
          <>
            <p>{userMessages.linkOnce}</p>
            <div className="flex items-end gap-2 [&>div]:flex-1">
              <TextField
                id="made-link"
                label="Link"
                value={url}
                readOnly
                spellCheck={false}
                onFocus={(event) => event.target.select()}
              />
              <Button
                onClick={() => {
                  const field = document.getElementById('made-link');
                  void copy(field instanceof HTMLInputElement ? field : null);
                }}
              >
                <Copy size={16} aria-hidden />
                Copy
              </Button>
            </div>
          </>
        )}
        {!lost && (
          <p className="text-ink-2 text-sm">{userMessages.linkExpires(formatDateTime(link.expiresAt))}</p>
        )}
      </div>
      <DialogActions>
        {lost && <Button onClick={onMakeAnother}>Make another</Button>}
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
