import type { Transaction } from '#db/client.ts';
import type { Building, BuildingSummary } from '#shared/features/locations/locations.ts';
import type { ApiKeyName, Changes } from '#shared/live/live.ts';
import {
  type BaseEventWriter,
  createEventWriter,
  type Origin,
  type OutboxEvent,
  writeEvents,
} from '../live/event-writer.ts';

/**
 * A change of more buildings than this is recorded as one bulk event. One call of the sequencer moves this many events.
 */
export const SEPARATE_EVENTS_MAX = 100;

export type EventWriter = BaseEventWriter;

/** Returns the event writer of a transaction outside a command: each event is written immediately. */
export function recorder(tx: Transaction, origin: Origin): EventWriter {
  return recorderTo((event) => writeEvents(tx, origin, [event]));
}

/**
 * Returns an event writer that adds the events that follow from others: a change of a building is also a change of its
 * `place`.
 * @param apiKey the key of the API that makes the change, if one does
 */
export function recorderTo(
  write: (event: OutboxEvent) => Promise<void>,
  apiKey?: ApiKeyName | undefined,
): EventWriter {
  const told = createEventWriter(write, apiKey);
  return {
    ...told,
    // Both are sent without waiting, so that no other event is recorded between the two.
    async record(change) {
      const sent = [told.record(change)];
      if (change.entity === 'building') {
        const { op, row } = change;
        const changes = changesOfPlace(change.changes);
        if (changes !== 'none')
          sent.push(told.record({ entity: 'place', op, row: buildingSummaryOf(row), changes }));
      }
      await Promise.all(sent);
    },
    async recordBulk(sample) {
      const sent = [told.recordBulk(sample)];
      if (sample.entity === 'building') sent.push(told.recordBulk(placeSample(sample.row)));
      await Promise.all(sent);
    },
    async recordBulkIn(sample, buildings) {
      const sent = [told.recordBulkIn(sample, buildings)];
      if (sample.entity === 'building') sent.push(told.recordBulkIn(placeSample(sample.row), buildings));
      await Promise.all(sent);
    },
    // The list of sessions is a live entity of its own, so ended sessions change that too.
    async recordSessionsEnded(userId, sessionIds) {
      await told.recordSessionsEnded(userId, sessionIds);
      await told.recordBulk(sessionsSample(userId));
    },
  };
}

/** The part of a building that everyone with access to it receives, whatever the role. */
function buildingSummaryOf({
  id,
  name,
  clientName,
  isHealthcare,
  archivedAt,
  version,
}: Building): BuildingSummary {
  return { id, name, clientName, isHealthcare, archivedAt, version };
}

function placeSample(row: Building) {
  return { entity: 'place', row: buildingSummaryOf(row) } as const;
}

const PLACE_CHANGES: readonly string[] = ['name', 'clientName', 'isHealthcare', 'archivedAt', 'schedule'];

/** Narrows changes of a building to the fields of its `place`; `none` if none of these has changed. */
function changesOfPlace(changes: Changes | null): Changes | null | 'none' {
  if (changes === null) return null;
  const told = Object.entries(changes).filter(([field]) => PLACE_CHANGES.includes(field));
  return told.length === 0 ? 'none' : Object.fromEntries(told);
}

/** A sample row for `recordBulk`: a session of the person has begun or ended. */
export function sessionsSample(userId: string) {
  return { entity: 'session', row: { id: userId, version: 0 } } as const;
}

/** A sample row for `recordBulk`: a notice of the person was added or removed. */
export function noticesSample(userId: string) {
  return { entity: 'notice', row: { id: userId, version: 0 } } as const;
}
