import { Copy, Download } from 'lucide-react';
import { use, useEffect, useRef } from 'react';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { saveTextFile } from '../../../lib/save-text-file.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { DialogContext } from '../../../ui/dialogs/dialog-context.ts';
import { toast } from '../../../ui/feedback/toast.ts';

const words = secondFactorMessages;

/** Shows new recovery codes, until the person confirms that they are saved. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const dialog = use(DialogContext);
  const setDirty = dialog?.setDirty;
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    heading.current?.focus();
    setDirty?.(true);
    window.addEventListener('beforeunload', ask);
    return () => {
      setDirty?.(false);
      window.removeEventListener('beforeunload', ask);
    };
  }, [setDirty]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toast({ title: words.codesCopied });
    } catch {
      // The clipboard API needs https.
      toast({ title: words.copyFailed });
    }
  }
  return (
    <div className="grid gap-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold text-md outline-none">
        {words.codesTitle}
      </h3>
      <p className="text-ink-2">{words.codesText}</p>
      <ul
        aria-label={words.codesTitle}
        className="grid select-all gap-x-4 gap-y-1.5 rounded-control bg-mute p-3 font-mono text-sm sm:grid-cols-2 sm:text-xs"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="grid grid-cols-2 gap-2">
        <Button onClick={() => void copy()}>
          <Copy size={16} aria-hidden />
          {words.copyCodes}
        </Button>
        <Button onClick={() => saveTextFile(words.codesFile, 'text/plain', `${codes.join('\r\n')}\r\n`)}>
          <Download size={16} aria-hidden />
          {words.downloadCodes}
        </Button>
      </div>
      <Button variant="primary" size="lg" className="w-full" onClick={onSaved}>
        {words.saved}
      </Button>
    </div>
  );
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
