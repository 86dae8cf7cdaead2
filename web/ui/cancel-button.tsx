import { createContext, use } from 'react';
import { Button } from './button.tsx';

/** Asks the surrounding dialog to close. */
export const DialogClosing = createContext<(() => void) | undefined>(undefined);

/** A Cancel button: closes its dialog in the same way as the cross, so a changed form asks first. */
export function CancelButton({ disabled, label = 'Cancel' }: { disabled?: boolean; label?: string }) {
  const close = use(DialogClosing);
  if (close === undefined) throw new Error('CancelButton needs a Dialog above it');
  return (
    <Button onClick={close} disabled={disabled}>
      {label}
    </Button>
  );
}
