import type { Transaction } from '#db/client.ts';
import type { Building, BuildingSummary } from '#shared/features/locations.ts';
import { photoPermission } from '#shared/features/photos.vocabulary.ts';
import type { Audience, Changes } from '#shared/live.ts';
import type { LiveEntity, LiveRow } from '#shared/live-entities.ts';
import { type BaseEventWriter, createEventWriter, type Origin } from '../live/event-writer.ts';

/** Who hears about each live entity. A missing entry does not compile. */
export const audiences: { readonly [E in LiveEntity]: (row: LiveRow<E>) => Audience } = {
  issue: (row) => ({ permission: 'view_building_issues', buildings: [row.buildingId], persons: [] }),
  issueComment: (row) => ({ permission: 'view_building_issues', buildings: [row.buildingId], persons: [] }),
  asset: (row) => ({ permission: 'view_assets', buildings: [row.buildingId], persons: [] }),
  // Of no building: for those who see all of them. Others know a client by its buildings alone, which carry its name.
  client: () => ({ permission: 'view_locations', buildings: [], persons: [] }),
  building: (row) => ({ permission: 'view_locations', buildings: [row.id], persons: [] }),
  // Every picker follows it, so everyone who may use the building hears, whatever the role.
  place: (row) => ({ permission: 'view_dashboard', buildings: [row.id], persons: [] }),
  person: (row) => ({ permission: 'view_users', buildings: 'org', persons: [row.id] }),
  discipline: () => ({ permission: 'manage_building_documents', buildings: 'org', persons: [] }),
  // Of a held record those hear who decide about it: that of its site must not.
  photo: (row) =>
    row.buildingId === null
      ? { permission: 'manage_users', buildings: 'org', persons: [] }
      : { permission: photoPermission(row.on), buildings: [row.buildingId], persons: [] },
  checkVisit: (row) => ({ permission: 'view_logbook', buildings: [row.buildingId], persons: [] }),
  missedPeriod: (row) => ({ permission: 'view_logbook', buildings: [row.buildingId], persons: [] }),
  testPoint: (row) => ({ permission: 'view_logbook', buildings: [row.buildingId], persons: [] }),
  // Of no building, for its recorder may not see that one. Those who decide about it, and whoever recorded it.
  heldCheck: (row) => ({ permission: 'manage_users', buildings: 'org', persons: [row.recordedBy] }),
  // What it says of itself is the file's; those who see the log hear of the record.
  importedCheck: (row) => ({ permission: null, buildings: [], persons: [row.personId] }),
  session: (row) => ({ permission: 'manage_users', buildings: 'org', persons: [row.id] }),
  // It holds an address, which is for administrators and for the person alone.
  signIn: (row) => ({ permission: 'manage_users', buildings: 'org', persons: [row.userId] }),
  notice: (row) => ({ permission: null, buildings: [], persons: [row.id] }),
  // Those who see issues hear of the issue itself.
  raisedIssue: (row) => ({ permission: null, buildings: [], persons: row.recordedBy }),
};

/** The stream (and hash chain) that a row's changes belong to. */
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
// As a record, so that an entity that lies in buildings and is missing here does not compile.
const inBuildings: Readonly<Record<EntityInBuilding, true>> = {
  issue: true,
  issueComment: true,
  asset: true,
  photo: true,
  checkVisit: true,
  missedPeriod: true,
  testPoint: true,
};

/** Rows of these leave every list when their building goes to the archive, and come back with it. */
// The cast: Object.keys forgets the names.
export const ENTITIES_IN_BUILDINGS = Object.keys(inBuildings) as readonly EntityInBuilding[];

/** Above so many buildings a change of all of them is told in one event: as many as are put in order in one step. */
export const SEPARATE_EVENTS_MAX = 100;

/** Names audience and stream of a building's rows of an entity, for `recordBulk`. */
export function bulkSampleIn(entity: EntityInBuilding, buildingId: string) {
  // The casts: audience and stream of these entities ask for nothing but the building.
  return { entity, row: { id: buildingId, buildingId } } as unknown as Parameters<
    BaseEventWriter['recordBulk']
  >[0];
}

export type EventWriter = BaseEventWriter;

/** Tells the others about a change, inside the transaction that makes it. */
export function recorder(tx: Transaction, origin: Origin): EventWriter {
  const told = createEventWriter(tx, origin, audiences, streams);
  return {
    ...told,
    // Sent together, so that nothing that is recorded next comes between the two.
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
    // Whoever looks at the list of them sees it, too.
    async recordSessionsEnded(userId, sessionIds) {
      await told.recordSessionsEnded(userId, sessionIds);
      await told.recordBulk(sessionsSample(userId));
    },
  };
}

/** What everybody may know of a building, whatever the role. */
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

/** Of a building's changes those that are told of its place. */
function changesOfPlace(changes: Changes | null): Changes | null | 'none' {
  if (changes === null) return null;
  const told = Object.entries(changes).filter(([field]) => PLACE_CHANGES.includes(field));
  return told.length === 0 ? 'none' : Object.fromEntries(told);
}

/** Names a person's sessions, for `recordBulk`: one has begun or ended. */
export function sessionsSample(userId: string) {
  return { entity: 'session', row: { id: userId, version: 0 } } as const;
}

/** Names a person's notices, for `recordBulk`. */
export function noticesSample(userId: string) {
  return { entity: 'notice', row: { id: userId, version: 0 } } as const;
}
