import { messages } from '#shared/messages.ts';
import { fieldErrorsOf, messageFor } from '../../lib/message-for.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { NotSentError, StoppedError } from '../../live/wire-error.ts';
import { toast } from '../../ui/toast.ts';

/** Shows a toast that a change was saved. */
export function toastSuccess(text: string, more?: string): void {
  toast(more === undefined ? { title: messages.common.success, text } : { title: text, text: more });
}

/** Shows a toast that a change failed, with the reason unless a field shows it. */
export function toastFailure(error: unknown, failed: string): void {
  // After signing out no message is needed.
  if (error instanceof StoppedError) return;
  toast({ title: messages.common.error, text: failureText(error, failed), tone: 'destructive' });
}

function failureText(error: unknown, failed: string): string {
  if (error instanceof NotSentError) return `${failed}. ${messages.common.offline}`;
  if (Object.keys(fieldErrorsOf(error)).length > 0) return failed;
  if (wireErrorOf(error)?.code === 'conflict') return `${failed}. ${messages.locations.conflict}`;
  if (wireErrorOf(error)?.code === 'not_found') return `${failed}. ${messages.locations.gone}`;
  const why = messageFor(error, failed);
  return why.startsWith(failed) ? why : `${failed}. ${why}`;
}
