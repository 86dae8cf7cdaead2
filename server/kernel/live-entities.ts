import type { Transaction } from '#db/client.ts';
import type { Building, BuildingSummary } from '#shared/features/locations.ts';
import { photoPermission } from '#shared/features/photos.vocabulary.ts';
import type { Audience, Changes } from '#shared/live.ts';
import type { LiveEntity, LiveRow } from '#shared/live-entities.ts';
import { type BaseEventWriter, createEventWriter, type Origin } from '../live/event-writer.ts';

/** The audience of each live entity. A missing entity does not compile. */
export const audiences: { readonly [E in LiveEntity]: (row: LiveRow<E>) => Audience } = {
  issue: (row) => ({ permission: 'view_building_issues', buildings: [row.buildingId], persons: [] }),
  issueComment: (row) => ({ permission: 'view_building_issues', buildings: [row.buildingId], persons: [] }),
  asset: (row) => ({ permission: 'view_assets', buildings: [row.buildingId], persons: [] }),
  // A client belongs to no building, so only people who see all buildings receive it. Others know a client by the name
  // that its buildings carry.
  client: () => ({ permission: 'view_locations', buildings: [], persons: [] }),
  building: (row) => ({ permission: 'view_locations', buildings: [row.id], persons: [] }),
  // Pickers use it, so it goes to everyone with access to the building, whatever the role.
  place: (row) => ({ permission: 'view_dashboard', buildings: [row.id], persons: [] }),
  person: (row) => ({ permission: 'view_users', buildings: 'org', persons: [row.id] }),
  discipline: () => ({ permission: 'manage_building_documents', buildings: 'org', persons: [] }),
  // Photos of a held record go to those who decide about it; its recorder may not see the building.
  photo: (row) =>
    row.buildingId === null
      ? { permission: 'manage_users', buildings: 'org', persons: [] }
      : { permission: photoPermission(row.on), buildings: [row.buildingId], persons: [] },
  checkVisit: (row) => ({ permission: 'view_logbook', buildings: [row.buildingId], persons: [] }),
  missedPeriod: (row) => ({ permission: 'view_logbook', buildings: [row.buildingId], persons: [] }),
  testPoint: (row) => ({ permission: 'view_logbook', buildings: [row.buildingId], persons: [] }),
  // Sent to those who decide about it and to its recorder, not by building: the recorder may have no access to it.
  heldCheck: (row) => ({ permission: 'manage_users', buildings: 'org', persons: [row.recordedBy] }),
  // Only the person it is attributed to receives it; readers of the log receive the visit itself.
  importedCheck: (row) => ({ permission: null, buildings: [], persons: [row.personId] }),
  session: (row) => ({ permission: 'manage_users', buildings: 'org', persons: [row.id] }),
  // It contains an IP address, which only administrators and the person may see.
  signIn: (row) => ({ permission: 'manage_users', buildings: 'org', persons: [row.userId] }),
  notice: (row) => ({ permission: null, buildings: [], persons: [row.id] }),
  // Only the recorders of its checks receive it; people who see issues receive the issue itself.
  raisedIssue: (row) => ({ permission: null, buildings: [], persons: row.recordedBy }),
};

/** The stream, and with it the hash chain, to which a row's events belong. */
export const streams: { readonly [E in LiveEntity]: (row: LiveRow<E>) => string } = {
  issue: (row) => `building:${row.buildingId}`,
  issueComment: (row) => `building:${row.buildingId}`,
  asset: (row) => `building:${row.buildingId}`,
  client: () => 'org',
  building: (row) => `building:${row.id}`,
  place: (row) => `building:${row.id}`,
  person: () => 'org',
  discipline: () => 'org',
  photo: (row) => (row.buildingId === null ? 'org' : `building:${row.buildingId}`),
  checkVisit: (row) => `building:${row.buildingId}`,
  missedPeriod: (row) => `building:${row.buildingId}`,
  testPoint: (row) => `building:${row.buildingId}`,
  heldCheck: () => 'org',
  importedCheck: () => 'org',
  session: () => 'org',
  signIn: () => 'org',
  notice: () => 'org',
  raisedIssue: () => 'org',
};

type EntityInBuilding = {
  [E in LiveEntity]: LiveRow<E> extends { buildingId: string | null } ? E : never;
}[LiveEntity];
// A record, so that an entity with a building that is missing here does not compile.
const inBuildings: Readonly<Record<EntityInBuilding, true>> = {
  issue: true,
  issueComment: true,
  asset: true,
  photo: true,
  checkVisit: true,
  missedPeriod: true,
  testPoint: true,
};

/** Entities whose rows leave every list when their building is archived, and return when it is restored. */
// The cast: Object.keys loses the type of the keys.
export const ENTITIES_IN_BUILDINGS = Object.keys(inBuildings) as readonly EntityInBuilding[];

/**
 * A change of more buildings than this is recorded as one bulk event. One call of the sequencer moves as many events.
 */
export const SEPARATE_EVENTS_MAX = 100;

/** A sample row for `recordBulk` that stands for all rows of an entity in a building. */
export function bulkSampleIn(entity: EntityInBuilding, buildingId: string) {
  // The casts: audience and stream of these entities read nothing but the building.
  return { entity, row: { id: buildingId, buildingId } } as unknown as Parameters<
    BaseEventWriter['recordBulk']
  >[0];
}

export type EventWriter = BaseEventWriter;

/**
 * Returns the event writer of a transaction. It adds the events that follow from others: a change of a building is also
 * one of its place.
 */
export function recorder(tx: Transaction, origin: Origin): EventWriter {
  const told = createEventWriter(tx, origin, audiences, streams);
  return {
    ...told,
    // Sent in one go, so that no other event is recorded between the two.
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

/** Narrows changes of a building to those of its place; `none` if nothing of the place has changed. */
function changesOfPlace(changes: Changes | null): Changes | null | 'none' {
  if (changes === null) return null;
  const told = Object.entries(changes).filter(([field]) => PLACE_CHANGES.includes(field));
  return told.length === 0 ? 'none' : Object.fromEntries(told);
}

/** A sample row for `recordBulk`: a session of the person has begun or ended. */
export function sessionsSample(userId: string) {
  return { entity: 'session', row: { id: userId, version: 0 } } as const;
}

/** A sample row for `recordBulk`: a notice of the person has come or gone. */
export function noticesSample(userId: string) {
  return { entity: 'notice', row: { id: userId, version: 0 } } as const;
}
