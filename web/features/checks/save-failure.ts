import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import { checks } from '#shared/features/checks/index.ts';
import { outletFlushingMessages, waterTemperatureMessages } from '#shared/features/checks/kind-messages.ts';
import type { OutboxError } from '../../offline/types.ts';

/** What a refused check says: which sentence of the server's, and whether it is about the visit or about a row. */
export function saveFailureOf(kind: LogKind, error: OutboxError | null): string {
  const { saveFailed } = checks[kind].messages;
  if (error === null || error.code === 'internal' || error.code === 'unreachable') return saveFailed;
  const [row, visit] = sentencesOf(error);
  const message = row ?? visit;
  if (message === undefined) return saveFailed;
  switch (kind) {
    case 'water_temperature_check':
      return row === undefined
        ? waterTemperatureMessages.visitFailed(message)
        : waterTemperatureMessages.rowsFailed(message);
    case 'outlet_flushing':
      return outletFlushingMessages.rowsFailed(message);
    default:
      // The form's own sentence, and why.
      return `${saveFailed} ${message}`;
  }
}

/** The first sentence about a row, and the first about anything else. */
function sentencesOf({ fields = {}, message }: OutboxError): [string | undefined, string | undefined] {
  const told = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const row = told.find(([path]) => path.startsWith('entries.'))?.[1];
  const visit = told.find(([path]) => !path.startsWith('entries.'))?.[1];
  return [row, visit ?? message];
}
