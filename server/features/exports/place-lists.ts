import { z } from 'zod';
import type { Database } from '#db/client.ts';
import { formatDate } from '#shared/dates.ts';
import { listBuildingsInput, listClientsInput, type NameCursor } from '#shared/features/locations.inputs.ts';
import type { ArchivedPage, PlaceKind } from '#shared/features/locations.ts';
import type { Actor } from '../../access/actor.ts';
import { listArchived } from '../locations/archive.queries.ts';
import { findBuilding, floorsOf, listBuildings, listClients } from '../locations/locations.queries.ts';
import type { Cell } from './csv.ts';

const PAGE = 1_000;
const KINDS: Readonly<{ [kind in PlaceKind]: string }> = {
  client: 'Client',
  building: 'Building',
  floor: 'Floor',
};

type Reader = { db: Database; actor: Actor };
type Pages = AsyncGenerator<Cell[][], void, undefined>;

export const clientsFilter = listClientsInput.pick({ search: true });
export const CLIENT_COLUMNS = ['Client', 'Buildings'] as const;

export async function* clientPages({ db, actor }: Reader, { search }: z.output<typeof clientsFilter>): Pages {
  let cursor: NameCursor | undefined;
  do {
    const page = await listClients(db, actor, { search, cursor, limit: PAGE });
    yield page.rows.map(({ name, buildingCount }) => [name, buildingCount]);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

export const buildingsFilter = listBuildingsInput.pick({ clientId: true, search: true });
export const BUILDING_COLUMNS = [
  'Client',
  'Building Name',
  'Code',
  'Address',
  'Floors',
  'Healthcare',
] as const;

export async function* buildingPages(
  { db, actor }: Reader,
  { clientId, search }: z.output<typeof buildingsFilter>,
): Pages {
  let cursor: NameCursor | undefined;
  do {
    const page = await listBuildings(db, actor, { clientId, search, cursor, limit: PAGE });
    yield page.rows.map(({ clientName, name, code, address, floorCount, isHealthcare }) => [
      clientName,
      name,
      code,
      address,
      floorCount,
      // In the form that the import reads.
      isHealthcare ? 'Yes' : 'No',
    ]);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

export const floorsFilter = z.strictObject({ buildingId: z.uuid().optional() });
/** In the form that the import reads. */
export const FLOOR_COLUMNS = ['Client', 'Building Name', 'Level', 'Floor Name'] as const;

/** Yields the floors of one building, or of all that the person may see. */
export async function* floorPages(
  { db, actor }: Reader,
  { buildingId }: z.output<typeof floorsFilter>,
): Pages {
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
}

export const ARCHIVE_COLUMNS = ['Kind', 'Name', 'Of', 'Archived'] as const;

/** Yields archived places, newest first. */
export async function* archivePages({ db }: Reader): Pages {
  let cursor: NonNullable<ArchivedPage['nextCursor']> | undefined;
  do {
    const page = await listArchived(db, { cursor, limit: PAGE });
    yield page.rows.map(({ kind, name, within, archivedAt }) => [
      KINDS[kind],
      name,
      within,
      formatDate(archivedAt),
    ]);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
