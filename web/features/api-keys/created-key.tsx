import { Copy } from 'lucide-react';
import { use, useEffect, useRef } from 'react';
import { apiKeyMessages } from '#shared/features/api-keys/api-key-messages.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { DialogActions } from '../../ui/dialogs/dialog-actions.tsx';
import { DialogContext } from '../../ui/dialogs/dialog-context.ts';
import { toast } from '../../ui/feedback/toast.ts';

/** A new key, for its maker to copy. Closing the dialog otherwise asks first. */
export function CreatedKey({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const setDirty = use(DialogContext)?.setDirty;
  const text = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    text.current?.focus();
    setDirty?.(true);
    return () => setDirty?.(false);
  }, [setDirty]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(apiKey);
      toast({ title: apiKeyMessages.copied });
    } catch {
      // The clipboard API needs https.
      toast({ title: apiKeyMessages.copyFailed });
    }
  }

  return (
    <div className="grid gap-4">
      <p ref={text} tabIndex={-1} className="outline-none">
        {apiKeyMessages.shownOnce}
      </p>
      <code className="select-all break-all rounded-control bg-mute p-3 font-mono text-sm">{apiKey}</code>
      <DialogActions>
        <Button onClick={() => void copy()}>
          <Copy size={16} aria-hidden />
          Copy
        </Button>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
