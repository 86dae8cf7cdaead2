import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { NotSentError, StoppedError } from '../../live/wire-error.ts';
import { toast } from '../../ui/toast.ts';

/** A change arrived. */
export function toastSuccess(text: string): void {
  toast({ title: messages.common.success, text });
}

/** A change did not: what failed, in the product's words, and why where the server says more. */
export function toastFailure(error: unknown, failed: string): void {
  // Whoever has signed out knows why nothing more happens.
  if (error instanceof StoppedError) return;
  toast({ title: messages.common.error, text: failureText(error, failed), tone: 'destructive' });
}

/** The connection was lost while saving; the truth is on its way. */
export function toastUncertain(): void {
  toast({ title: messages.common.uncertain });
}

function failureText(error: unknown, failed: string): string {
  if (error instanceof NotSentError) return `${failed}. ${messages.common.offline}`;
  if (wireErrorOf(error)?.code === 'conflict') return `${failed}. ${messages.issues.conflict}`;
  const why = messageFor(error, failed);
  return why.startsWith(failed) ? why : `${failed}. ${why}`;
}
