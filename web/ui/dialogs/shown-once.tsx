import { Copy } from 'lucide-react';
import { use, useEffect, useRef } from 'react';
import { Button } from '../buttons/button.tsx';
import { toast } from '../feedback/toast.ts';
import { DialogActions } from './dialog-actions.tsx';
import { DialogContext } from './dialog-context.ts';

/**
 * A new secret in a dialog, for the person who created it to copy. Closing the dialog otherwise asks first.
 * @param text explains that the secret is shown only once
 */
export function ShownOnce({ text, secret, onDone }: { text: string; secret: string; onDone: () => void }) {
  const setDirty = use(DialogContext)?.setDirty;
  const sentence = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    sentence.current?.focus();
    setDirty?.(true);
    return () => setDirty?.(false);
  }, [setDirty]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret);
      toast({ title: 'Copied' });
    } catch {
      // The clipboard API needs https.
      toast({ title: 'The browser did not allow copying. Select the text and copy it.' });
    }
  }

  return (
    <div className="grid gap-4">
      <p ref={sentence} tabIndex={-1} className="outline-none">
        {text}
      </p>
      <code className="select-all break-all rounded-control bg-mute p-3 font-mono text-sm">{secret}</code>
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
