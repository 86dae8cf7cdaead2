import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import { toastFailure } from '../../../forms/toasts.ts';
import { toast } from '../../../ui/feedback/toast.ts';

/**
 * Shows a toast that a passkey was not used or created.
 * @param failed names the action that failed
 * @param cancelled text for a person who has closed the browser's dialog, which is not an error
 */
export function toastPasskeyFailure(error: unknown, failed: string, cancelled: string): void {
  const name = error instanceof Error ? error.name : '';
  // The page itself has cancelled the request.
  if (name === 'AbortError') return;
  // The person has closed the browser's dialog, or it has timed out.
  if (name === 'NotAllowedError') toast({ title: failed, text: cancelled });
  else if (name === 'InvalidStateError') toastFailure(error, failed, passkeyMessages.alreadyHere);
  else toastFailure(error, failed);
}
