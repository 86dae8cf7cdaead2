import type { Queryable, Transaction } from '#db/client.ts';
import { buildings, clients, floors } from '#db/schema/places.ts';
import { floorLabel, floorLevels } from '#shared/features/locations/floors.ts';
import { uuidv7 } from '#shared/ids.ts';
import { loadWrittenBuilding } from '../features/locations/place-rows.queries.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import { HEALTHCARE, SAMPLE_BUILDINGS, SAMPLE_CLIENTS, type SampleBuilding } from './portfolio.ts';

/**
 * Creates clients, buildings and floors.
 * @returns building ids by code
 */
export async function createSamplePlaces(
  tx: Transaction,
  recorder: EventWriter,
  at: string,
): Promise<Map<string, string>> {
  const clientIds = new Map<string, string>();
  for (const name of SAMPLE_CLIENTS) {
    const id = uuidv7(Date.parse(at));
    clientIds.set(name, id);
    await tx.insert(clients).values({ id, name, createdAt: at });
    await recorder.record({
      op: 'put',
      entity: 'client',
      row: { id, name, archivedAt: null, version: 1 },
      changes: null,
    });
  }
  const buildingIds = new Map<string, string>();
  for (const building of SAMPLE_BUILDINGS) {
    const clientId = clientIds.get(building.client);
    if (clientId === undefined) throw new Error(`the sample has no client ${building.client}`);
    const id = building.id ?? uuidv7(Date.parse(at));
    const { code, name, address } = building;
    buildingIds.set(code, id);
    const isHealthcare = HEALTHCARE.includes(code);
    await tx.insert(buildings).values({ id, clientId, name, code, address, isHealthcare, createdAt: at });
    await tx.insert(floors).values(floorsOf(building, id, at));
    const row = await loadWrittenBuilding(tx, id);
    await recorder.record({ op: 'put', entity: 'building', row, changes: null });
  }
  return buildingIds;
}

/** Reads ids of floors by building id and level. */
export async function floorIdsOf(db: Queryable): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: floors.id, buildingId: floors.buildingId, level: floors.level })
    .from(floors);
  return new Map(rows.map(({ id, buildingId, level }) => [`${buildingId} ${level}`, id]));
}

function floorsOf(building: SampleBuilding, buildingId: string, createdAt: string) {
  return floorLevels(building.floors, building.basement === true).map((level) => ({
    id: uuidv7(),
    buildingId,
    level,
    name: floorLabel(level),
    isBasement: level < 0,
    createdAt,
  }));
}
