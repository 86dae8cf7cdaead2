import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { NotSentError, StoppedError } from '../../live/wire-error.ts';
import { toast } from '../../ui/toast.ts';

/** Shows a toast that a change was saved. */
export function toastSuccess(text: string): void {
  toast({ title: messages.common.success, text });
}

/** Shows a toast that a change failed, with the server's reason if it gives one. */
export function toastFailure(error: unknown, failed: string): void {
  // After signing out no message is needed.
  if (error instanceof StoppedError) return;
  toast({ title: messages.common.error, text: failureText(error, failed), tone: 'destructive' });
}

/** Shows a toast that the connection was lost while saving, so the outcome is not known yet. */
export function toastUncertain(): void {
  toast({ title: messages.common.uncertain });
}

function failureText(error: unknown, failed: string): string {
  if (error instanceof NotSentError) return `${failed}. ${messages.common.offline}`;
  if (wireErrorOf(error)?.code === 'conflict') return `${failed}. ${messages.issues.conflict}`;
  const why = messageFor(error, failed);
  return why.startsWith(failed) ? why : `${failed}. ${why}`;
}
