import { advisedBy } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import { fieldErrorsOf, messageFor } from '../lib/message-for.ts';
import { wireErrorOf } from '../lib/wire-error.ts';
import { NotSentError, StoppedError } from '../live/wire-error.ts';
import { toastError, toastSuccess } from '../ui/toast.ts';

/**
 * Shows a toast that a command failed, and why if the server or the connection tells more.
 * @param why the reason if the caller knows it
 * @param title instead of "Error"
 */
export function toastFailure(error: unknown, failed: string, why?: string, title?: string): void {
  // After signing out no message is needed.
  if (error instanceof StoppedError) return;
  toastError(failureText(error, failed, why), title);
}

/** Why a command failed, as far as the server or the connection tells more; empty otherwise. */
export function reasonForFailure(error: unknown): string {
  return reasonOf(error) ?? messageFor(error, '');
}

/**
 * Shows a toast when a command ends.
 * @param words with the number or name of what the command is about
 * @returns its answer, or undefined if it failed
 */
export async function tell<Answer>(
  answer: Promise<Answer>,
  { about, success, failure }: { about?: string | undefined; success?: string; failure: string },
): Promise<Answer | undefined> {
  try {
    const got = await answer;
    if (success !== undefined) toastSuccess(success, { about });
    return got;
  } catch (error) {
    toastFailure(error, failure);
    return undefined;
  }
}

function failureText(error: unknown, failed: string, known: string | undefined): string {
  const why = known ?? reasonOf(error) ?? messageFor(error, failed);
  if (why.startsWith(failed)) return why;
  // Advice to try again cannot help if there is a reason.
  const what = advisedBy('invalid', failed);
  return why === what ? why : `${what.replace(/\.$/, '')}. ${why}`;
}

/** The reason of a failure that has no sentence of its own. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotSentError) return messages.common.offline;
  const wire = wireErrorOf(error);
  if (wire === undefined || wire.message !== undefined) return undefined;
  if (wire.code === 'conflict') return messages.common.conflict;
  if (wire.code === 'not_found') return messages.common.gone;
  return Object.values(fieldErrorsOf(error))[0];
}
