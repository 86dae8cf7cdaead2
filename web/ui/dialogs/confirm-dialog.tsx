import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../buttons/button.tsx';
import type { ButtonVariant } from '../buttons/button-style.ts';
import { CancelButton } from './cancel-button.tsx';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';

type Props = {
  title: string;
  subtitle?: string | undefined;
  children: ReactNode;
  /** Label of the action, and its label while `onConfirm` runs. */
  action: string;
  pending?: string;
  /** `secondary` if cancelling is the better answer; then Cancel is the primary button. */
  variant?: Extract<ButtonVariant, 'danger' | 'primary' | 'secondary'>;
  /** Label of the other button. */
  cancel?: string;
  disabled?: boolean;
  /** While its promise is pending, the buttons are disabled. */
  onConfirm: () => unknown;
  onClose: () => void;
};

/**
 * Dialog that asks before an action. The caller closes the dialog; after a failure it stays open, so the action can be
 * repeated.
 */
export function ConfirmDialog({
  title,
  subtitle,
  children,
  action,
  pending = action,
  variant = 'danger',
  cancel = 'Cancel',
  disabled = false,
  onConfirm,
  onClose,
}: Props) {
  const [busy, setBusy] = useState(false);
  const confirming = useRef(false);

  async function confirm() {
    if (confirming.current) return;
    confirming.current = true;
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      confirming.current = false;
      setBusy(false);
    }
  }

  const confirmButton = (
    <Button variant={variant} disabled={busy || disabled} onClick={() => void confirm()}>
      {busy ? pending : action}
    </Button>
  );
  return (
    <Dialog open onClose={onClose} title={title} subtitle={subtitle} size="sm">
      {children}
      <DialogActions>
        {variant === 'secondary' ? (
          <>
            {confirmButton}
            <Button variant="primary" disabled={busy} onClick={onClose}>
              {cancel}
            </Button>
          </>
        ) : (
          <>
            <CancelButton disabled={busy} label={cancel} />
            {confirmButton}
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
