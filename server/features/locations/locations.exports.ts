import { z } from 'zod';
import { formatDate } from '#shared/dates.ts';
import { BUILDING_DETAILS, type BuildingDetail } from '#shared/features/building-fields.vocabulary.ts';
import { listBuildingsInput, listClientsInput, type NameCursor } from '#shared/features/locations.inputs.ts';
import type { ArchivedPage, Building, PlaceKind } from '#shared/features/locations.ts';
import { exportedList } from '../../kernel/exported-list.ts';
import { listArchived } from './archive.queries.ts';
import { findBuilding, floorsOf, listBuildings, listClients } from './locations.queries.ts';

const [first, ...others] = BUILDING_DETAILS;
const PAGE = 1_000;
const KINDS: Readonly<{ [kind in PlaceKind]: string }> = {
  client: 'Client',
  building: 'Building',
  floor: 'Floor',
};

export const exportedLists = {
  clients: exportedList({
    permission: 'view_locations',
    columns: ['Client', 'Buildings'],
    filter: listClientsInput.pick({ search: true }),
    async *pages({ services: { db }, actor }, { search }) {
      let cursor: NameCursor | undefined;
      do {
        const page = await listClients(db, actor, { search, cursor, limit: PAGE });
        yield page.rows.map(({ name, buildingCount }) => [name, buildingCount]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
  locations: exportedList({
    permission: 'view_locations',
    columns: [
      'Client',
      'Building Name',
      'Code',
      first.column,
      'Floors',
      ...others.map(({ column }) => column),
    ],
    filter: listBuildingsInput.pick({ clientId: true, search: true }),
    async *pages({ services: { db }, actor }, { clientId, search }) {
      let cursor: NameCursor | undefined;
      do {
        const page = await listBuildings(db, actor, { clientId, search, cursor, limit: PAGE });
        yield page.rows.map((row) => [
          row.clientName,
          row.name,
          row.code,
          row[first.field],
          row.floorCount,
          ...others.map((detail) => cellOf(row, detail)),
        ]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
  /** The floors of one building, or of all that the person may see. */
  floors: exportedList({
    permission: 'view_locations',
    // In the form that the import reads.
    columns: ['Client', 'Building Name', 'Level', 'Floor Name'],
    filter: z.strictObject({ buildingId: z.uuid().optional() }),
    async *pages({ services: { db }, actor }, { buildingId }) {
      let cursor: NameCursor | undefined;
      do {
        const one = buildingId === undefined ? undefined : await findBuilding(db, actor, buildingId);
        const page =
          one === undefined
            ? await listBuildings(db, actor, { cursor, limit: PAGE })
            : { rows: one === null ? [] : [one], nextCursor: null };
        const floors = await floorsOf(
          db,
          page.rows.map(({ id }) => id),
        );
        yield page.rows.flatMap(({ id, clientName, name }) =>
          (floors.get(id) ?? []).map((floor) => [clientName, name, floor.level, floor.name]),
        );
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
  /** Newest first. */
  archive: exportedList({
    permission: 'edit_locations',
    columns: ['Kind', 'Name', 'Of', 'Archived'],
    filter: z.strictObject({}),
    async *pages({ services: { db }, timeZone }) {
      let cursor: NonNullable<ArchivedPage['nextCursor']> | undefined;
      do {
        const page = await listArchived(db, { cursor, limit: PAGE });
        yield page.rows.map(({ kind, name, within, archivedAt }) => [
          KINDS[kind],
          name,
          within,
          formatDate(archivedAt, timeZone),
        ]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
};

/** In the form that the import reads. */
function cellOf(row: Building, { field }: BuildingDetail): string | null {
  const value = row[field];
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value;
}
