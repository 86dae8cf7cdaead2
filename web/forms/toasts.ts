import { advisedBy } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import { fieldErrorsOf, messageFor } from '../lib/trpc/message-for.ts';
import { wireErrorOf } from '../lib/trpc/wire-error.ts';
import { NotConfirmedError, NotSentError, StoppedError } from '../live/stream/wire-error.ts';
import { toastError, toastSuccess } from '../ui/feedback/toast.ts';

/**
 * Shows a toast that a command failed, with the reason if the server or the connection gives one.
 * @param why the reason if the caller knows it
 * @param title instead of "Error"
 */
export function toastFailure(error: unknown, failed: string, why?: string, title?: string): void {
  // After signing out no message is needed.
  if (error instanceof StoppedError) return;
  toastError(failureText(error, failed, why), title);
}

/** Why a command failed, if the server or the connection gives a reason; empty otherwise. */
export function reasonForFailure(error: unknown): string {
  return reasonOf(error) ?? messageFor(error, '');
}

/**
 * Shows a toast when a command ends.
 * @param words the texts, and in `about` the number or name of what the command is about
 * @returns the command's answer, or undefined if it failed
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

/** The reason of a failure for which the server sent no sentence. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotSentError) return messages.common.offline;
  if (error instanceof NotConfirmedError) return messages.common.notConfirmed;
  const wire = wireErrorOf(error);
  if (wire === undefined || wire.message !== undefined) return undefined;
  if (wire.code === 'conflict') return messages.common.conflict;
  if (wire.code === 'not_found') return messages.common.gone;
  return Object.values(fieldErrorsOf(error))[0];
}
