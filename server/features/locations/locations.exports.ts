import { z } from 'zod';
import { formatDate } from '#shared/dates.ts';
import {
  BUILDING_DETAILS,
  type BuildingDetail,
} from '#shared/features/locations/building-fields.vocabulary.ts';
import { FLOORS_MAX, floorLabel, floorLevels } from '#shared/features/locations/floors.ts';
import {
  listBuildingsInput,
  listClientsInput,
  type NameCursor,
} from '#shared/features/locations/locations.inputs.ts';
import type { ArchivedPage, Building, Floor, PlaceKind } from '#shared/features/locations/locations.ts';
import { type Cell, EXPORT_ROWS, exportedList } from '../../kernel/lists/exported-list.ts';
import { listArchived } from './archive.queries.ts';
import { findBuilding, floorsOf, listBuildings, listClients } from './locations.queries.ts';
import { placeCells } from './place-cells.queries.ts';

const [first, ...others] = BUILDING_DETAILS;
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
        const page = await listClients(db, actor, { search, cursor, limit: EXPORT_ROWS });
        yield page.rows.map(({ name, buildingCount }) => [name, buildingCount]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
  locations: exportedList({
    permission: 'view_locations',
    // The columns that the import reads, and some that it ignores.
    columns: [
      'Client',
      'Building Name',
      'Code',
      first.column,
      'Floors',
      'Basement',
      'Floor Count',
      ...others.map(({ column }) => column),
    ],
    filter: listBuildingsInput.pick({ clientId: true, search: true }),
    async *pages({ services: { db }, actor }, { clientId, search }) {
      let cursor: NameCursor | undefined;
      do {
        const page = await listBuildings(db, actor, { clientId, search, cursor, limit: EXPORT_ROWS });
        const floors = await floorsOf(
          db,
          page.rows.map(({ id }) => id),
        );
        yield page.rows.map((row) => [
          row.clientName,
          row.name,
          row.code,
          row[first.field],
          ...plainFloors(floors.get(row.id) ?? []),
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
            ? await listBuildings(db, actor, { cursor, limit: EXPORT_ROWS })
            : { rows: one === null ? [] : [one], nextCursor: null };
        const floors = await floorsOf(
          db,
          page.rows.map(({ id }) => id),
        );
        const placeOf = await placeCells(
          db,
          page.rows.map(({ id }) => id),
        );
        yield page.rows.flatMap(({ id }) => {
          const { client, building } = placeOf(id);
          return (floors.get(id) ?? []).map((floor) => [client, building, floor.level, floor.name]);
        });
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
        const page = await listArchived(db, { cursor, limit: EXPORT_ROWS });
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

/**
 * The columns Floors and Basement, if they describe a building's floors exactly; else both are empty, because an import
 * would make floors that the building does not have. The list of floors has them all.
 */
export function plainFloors(floors: readonly Pick<Floor, 'level' | 'name'>[]): [Cell, Cell] {
  const upper = floors.filter(({ level }) => level >= 0).length;
  const basement = floors.some(({ level }) => level === -1);
  const levels = floorLevels(upper, basement);
  const named = new Map(floors.map(({ level, name }) => [level, name]));
  const isPlain =
    upper <= FLOORS_MAX &&
    levels.length === floors.length &&
    levels.every((level) => named.get(level) === floorLabel(level));
  return isPlain ? [upper === 0 ? null : upper, basement ? 'Yes' : 'No'] : [null, null];
}

/** A cell in the form that the import reads. */
function cellOf(row: Building, { field }: BuildingDetail): string | null {
  const value = row[field];
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value;
}
