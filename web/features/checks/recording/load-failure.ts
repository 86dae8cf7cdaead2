import { advisedBy } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { definitionOf } from '#shared/features/checks/index.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';

/**
 * Returns the message for sites, or a site's register, that could not be loaded: separate ones for offline, for no
 * response, and for an error response.
 */
export function loadFailureOf(kind: LogKind, error: unknown, isOnline = navigator.onLine): string {
  if (!isOnline) return formMessages.notYetHere;
  const { loadFailed = checkMessages.loadFailed, loadUnexpected = loadFailed } = definitionOf(kind).messages;
  return isUnanswered(error) ? loadUnexpected : advisedBy(wireErrorOf(error)?.code, loadFailed);
}

/** `fetch` rejects with a TypeError only when there was no response; a proxy's error page is a response. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TypeError;
}
