import { advisedBy } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { definitionOf } from '#shared/features/checks/index.ts';
import { wireErrorOf } from '../../../lib/wire-error.ts';

/** What is said where sites, or what is at one, did not come; other sentences where no answer came or none was asked for. */
export function loadFailureOf(kind: LogKind, error: unknown, isOnline = navigator.onLine): string {
  if (!isOnline) return formMessages.notYetHere;
  const { loadFailed = checkMessages.loadFailed, loadUnexpected = loadFailed } = definitionOf(kind).messages;
  return isUnanswered(error) ? loadUnexpected : advisedBy(wireErrorOf(error)?.code, loadFailed);
}

/** `fetch` rejects with a TypeError, and with nothing else, where no answer came: one of a proxy's is an answer, too. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TypeError;
}
