import { useMemo } from 'react';
import type { VisitReceipt } from '#shared/features/checks/index.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { useSendQueue } from '../../../offline/use-send-queue.ts';
import type { OwnRecord } from '../due/due-sites.ts';
import { useRound } from '../due/use-round.ts';
import type { VisitToKeep } from '../kinds/validate-visit.ts';
import { useToday } from '../log-book/use-today.ts';

/** What a record that is handed in says of its site. */
export function ownRecordOf(id: string, { kind, buildingId, visitDate, entries }: VisitToKeep): OwnRecord {
  const [only] = entries;
  const isTest = only !== undefined && 'locationTested' in only;
  return {
    id,
    kind,
    siteId: buildingId,
    day: visitDate,
    place: isTest ? only.locationTested : undefined,
    failed: isTest && !only.passed,
  };
}

/**
 * What was recorded on this device and counts: what waits, and of today what was received. What was refused or held does
 * not count, nor what was discarded.
 */
export function ownRecordsIn(items: readonly QueuedCommand[], ofToday: readonly OwnRecord[]): OwnRecord[] {
  return items.flatMap(({ id, command, state, input, receipt }) => {
    if (command !== 'checks.record' || state === 'attention') return [];
    // The casts: what the form handed in, and what the server answers to this command.
    if (state !== 'received') return [ownRecordOf(id, input as VisitToKeep)];
    if ((receipt as VisitReceipt | null)?.held === true) return [];
    return ofToday.filter((record) => record.id === id);
  });
}

/** What was recorded on this device and counts. */
export function useOwnRecords(): readonly OwnRecord[] {
  const { items } = useSendQueue();
  const { records } = useRound(useToday()).round;
  return useMemo(() => ownRecordsIn(items, records), [items, records]);
}
