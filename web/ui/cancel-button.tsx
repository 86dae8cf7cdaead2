import { createContext, use } from 'react';
import { Button } from './button.tsx';

/** How the dialog around is asked to close. */
export const DialogClosing = createContext<(() => void) | undefined>(undefined);

/** 'Cancel', or another word for it: closes the dialog that it is in as its cross does, so a changed form asks first. */
export function CancelButton({ disabled, label = 'Cancel' }: { disabled?: boolean; label?: string }) {
  const close = use(DialogClosing);
  if (close === undefined) throw new Error('CancelButton needs a Dialog above it');
  return (
    <Button onClick={close} disabled={disabled}>
      {label}
    </Button>
  );
}
