import { useMemo } from 'react';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { VisitReceipt } from '#shared/features/checks/index.ts';
import { countedInPeriods } from '#shared/features/checks/kinds.vocabulary.ts';
import { useToday } from '../../../lib/time/use-today.ts';
import { useSendQueue } from '../../../offline/queue/use-send-queue.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import type { OwnRecord } from '../due/due-sites.ts';
import { useRound } from '../due/use-round.ts';
import type { VisitInput } from '../kinds/validate-visit.ts';

/** Extracts from a submitted record the data that affects the standing of its site. */
export function ownRecordOf(id: string, { kind, buildingId, visitDate, entries }: VisitInput): OwnRecord {
  const [only] = entries;
  const isTest = only !== undefined && 'locationTested' in only;
  return {
    id,
    kind,
    siteId: buildingId,
    day: visitDate,
    subjects: testedIn(kind, entries),
    place: isTest ? only.locationTested : undefined,
    failed: isTest && !only.passed,
  };
}

/**
 * Returns the assets of the entries whose result counts for the period. Repeats a rule of the check definitions instead of
 * importing them, so that a first screen does not load the validation library.
 */
function testedIn(kind: LogKind, entries: VisitInput['entries']): string[] {
  const only = isIncident(kind) ? undefined : countedInPeriods(kind);
  return entries.flatMap((entry) => {
    const values: Record<string, unknown> = entry;
    const asset = values['assetId'] ?? values['outletId'];
    const isUntested =
      values['passed'] === null || (values['isFlushed'] === false && (values['notes'] ?? null) === null);
    const isOther = only !== undefined && (values[only.field] ?? only.value) !== only.value;
    return typeof asset === 'string' && !isUntested && !isOther ? [asset] : [];
  });
}

/**
 * Returns this device's records that count as done: the records waiting to be sent, and the received records of today's
 * round. Refused, held and discarded records do not count.
 */
export function ownRecordsIn(items: readonly QueuedCommand[], ofToday: readonly OwnRecord[]): OwnRecord[] {
  return items.flatMap(({ id, command, state, input, receipt }) => {
    if (command !== 'checks.record' || state === 'attention') return [];
    // The casts are safe: the input was stored by the form, the receipt is the server's answer to this command.
    if (state !== 'received') return [ownRecordOf(id, input as VisitInput)];
    if ((receipt as VisitReceipt | null)?.held === true) return [];
    return ofToday.filter((record) => record.id === id);
  });
}

/** Returns this device's records that count as done. */
export function useOwnRecords(): readonly OwnRecord[] {
  const { items } = useSendQueue();
  const { records } = useRound(useToday()).round;
  return useMemo(() => ownRecordsIn(items, records), [items, records]);
}
