import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { importMessages } from '#shared/offline/import-messages.ts';
import { UNSENT_MAX_BYTES, type UnsentImported } from '#shared/offline/unsent-file.ts';
import { toastFailure } from '../../forms/toasts.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/card.tsx';

const MEGABYTE = 1024 * 1024;

/**
 * Imports the unsent records of a phone that cannot connect, from its exported file. For people who may manage users.
 */
export function ImportUnsent() {
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<UnsentImported | undefined>(undefined);

  async function take(chosen: File) {
    setBusy(true);
    setDone(undefined);
    try {
      setDone(await send(chosen));
    } catch (error) {
      toastFailure(error, importMessages.failed);
    } finally {
      setBusy(false);
      // Reset, so that the same file can be selected again.
      if (file.current !== null) file.current.value = '';
    }
  }

  return (
    <Card className="mt-6 grid max-w-4xl gap-3 p-5">
      <h2 className="font-semibold text-md">{importMessages.title}</h2>
      <p className="text-ink-2">{importMessages.intro}</p>
      <input
        ref={file}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen !== undefined) void take(chosen);
        }}
      />
      <Button className="justify-self-start" disabled={busy} onClick={() => file.current?.click()}>
        <Upload size={16} aria-hidden />
        {busy ? 'Importing...' : 'Choose file'}
      </Button>
      <div role="status">{done !== undefined && <Done done={done} />}</div>
    </Card>
  );
}

function Done({ done }: { done: UnsentImported }) {
  const { personName, imported, known, refused } = done;
  const counts = [
    importMessages.done(imported),
    ...(known > 0 ? [importMessages.known(known)] : []),
    ...(refused.length > 0 ? [importMessages.refused(refused.length)] : []),
  ];
  return (
    <>
      <p className="font-medium text-ink">{`${personName}: ${counts.join(' ')}`}</p>
      <ul className="mt-1 grid gap-1">
        {refused.map(({ title, reason }) => (
          <li key={title} className="text-bad">{`${title}: ${reason}`}</li>
        ))}
      </ul>
    </>
  );
}

async function send(file: File): Promise<UnsentImported> {
  if (file.size > UNSENT_MAX_BYTES) {
    throw refusal({ code: 'too_large', message: importMessages.fileTooLarge(UNSENT_MAX_BYTES / MEGABYTE) });
  }
  const response = await fetch('/files/unsent', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app': '1' },
    body: file,
  });
  const answer: unknown = await response.json().catch(() => undefined);
  // The cast is safe: this is the server's answer to an accepted file.
  if (response.ok) return answer as UnsentImported;
  // The cast is safe: every refusal by the server has this format.
  const { error } = (answer ?? {}) as { error?: { data?: { app?: unknown } } };
  throw refusal(error?.data?.app);
}

/** Builds an error in the shape that `messageFor` reads. */
function refusal(app: unknown): Error {
  return Object.assign(new Error('refused'), { data: { app } });
}
