import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import { toastFailure } from '../../../forms/toasts.ts';
import { toast } from '../../../ui/feedback/toast.ts';

/**
 * Shows a toast that a passkey was not used or made.
 * @param failed what could not be done
 * @param cancelled the sentence for a person who has closed the browser's dialog, which is no failure
 */
export function toastPasskeyFailure(error: unknown, failed: string, cancelled: string): void {
  const name = error instanceof Error ? error.name : '';
  // The page itself has cancelled it.
  if (name === 'AbortError') return;
  // Also after the browser has waited too long.
  if (name === 'NotAllowedError') toast({ title: failed, text: cancelled });
  else if (name === 'InvalidStateError') toastFailure(error, failed, passkeyMessages.alreadyHere);
  else toastFailure(error, failed);
}
