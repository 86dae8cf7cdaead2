import { type FormEvent, useState } from 'react';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';

type Props = { answer: (password: string) => void; wasWrong: boolean; onDownload: () => void };

/** Asks for the password of a PDF. The password only opens the PDF, and is not stored. */
export function PdfPassword({ answer, wasWrong, onDownload }: Props) {
  const [password, setPassword] = useState('');
  function open(event: FormEvent) {
    event.preventDefault();
    if (password !== '') answer(password);
  }
  return (
    <form
      onSubmit={open}
      aria-label={previewMessages.passwordNeeded}
      className="grid min-h-[30dvh] content-center justify-items-center gap-4 rounded-control bg-mute px-4 py-8"
    >
      <p className="max-w-prose text-center text-ink-2">{previewMessages.passwordNeeded}</p>
      <div className="w-full max-w-xs">
        <TextField
          label={previewMessages.password}
          type="password"
          autoComplete="off"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          hint={previewMessages.passwordHint}
          error={wasWrong ? previewMessages.passwordWrong : undefined}
        />
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button type="submit" variant="primary">
          {previewMessages.openPdf}
        </Button>
        <Button onClick={onDownload}>Download</Button>
      </div>
    </form>
  );
}
