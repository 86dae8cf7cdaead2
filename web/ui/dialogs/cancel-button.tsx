import { use } from 'react';
import { Button } from '../buttons/button.tsx';
import { DialogContext } from './dialog-context.ts';

/** A Cancel button: closes its dialog in the same way as the cross, so a changed form asks first. */
export function CancelButton({ disabled, label = 'Cancel' }: { disabled?: boolean; label?: string }) {
  const dialog = use(DialogContext);
  if (dialog === undefined) throw new Error('CancelButton needs a Dialog above it');
  return (
    <Button onClick={dialog.close} disabled={disabled}>
      {label}
    </Button>
  );
}
