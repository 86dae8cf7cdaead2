import { advisedBy } from '#shared/errors.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { definitionOf } from '#shared/features/checks/index.ts';
import { formatError } from '../../../offline/labels.ts';
import type { QueuedError } from '../../../offline/types.ts';

/**
 * Returns the message of a refused check: the server's sentence, introduced as being about the visit or about a row.
 */
export function saveFailureOf(kind: LogKind, error: QueuedError | null): string {
  const { saveFailed, rowsFailed, visitFailed = rowsFailed } = definitionOf(kind).messages;
  if (error === null || error.code === 'internal' || error.code === 'unreachable') return saveFailed;
  const [row, visit] = sentencesOf(error);
  const message = row ?? visit ?? formatError(error);
  const tell = row === undefined ? visitFailed : rowsFailed;
  // A kind without its own introduction gets the form's general message, followed by the reason.
  return tell === undefined ? `${advisedBy(error.code, saveFailed)} ${message}` : tell(message);
}

/** Returns the first message about a row, and the first about anything else. */
function sentencesOf({ fields = {}, message }: QueuedError): [string | undefined, string | undefined] {
  const told = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const row = told.find(([path]) => path.startsWith('entries.'))?.[1];
  const visit = told.find(([path]) => !path.startsWith('entries.'))?.[1];
  return [row, visit ?? message];
}
