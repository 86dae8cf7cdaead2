import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { buildings, clients } from '#db/schema/places.ts';
import { withCode } from '#shared/building-references.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { nameKey } from '#shared/name-keys.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';

export type KnownBuilding = { id: string; name: string; code: string; clientName: string };

/** Finds a building by name, by code or by both, with or without its client's name; reports a fault and returns null otherwise. */
export type FindBuilding = (
  named: { client: string; building: string },
  fault: (column: string, text: string) => void,
) => KnownBuilding | null;

/** Returns a lookup of the buildings that a person may see, by the names that a file uses. */
export async function buildingFinder(db: Queryable, actor: Actor): Promise<FindBuilding> {
  const rows = await db
    .select({ id: buildings.id, name: buildings.name, code: buildings.code, clientName: clients.name })
    .from(buildings)
    .innerJoin(clients, eq(clients.id, buildings.clientId))
    .where(and(visibleTo(actor, buildings.id)));
  const byName = new Map<string, KnownBuilding[]>();
  for (const row of rows) {
    for (const key of new Set([row.name, row.code, withCode(row.name, row.code)].map(nameKey))) {
      const held = byName.get(key);
      if (held === undefined) byName.set(key, [row]);
      else held.push(row);
    }
  }
  return ({ client, building }, fault) => {
    const named = byName.get(nameKey(building)) ?? [];
    const ofClient =
      client === '' ? named : named.filter(({ clientName }) => nameKey(clientName) === nameKey(client));
    // A name comes before the code of another building.
    const called = ofClient.filter(({ name }) => nameKey(name) === nameKey(building));
    const found = called.length > 0 ? called : ofClient;
    const [only] = found;
    if (only === undefined) {
      fault('Building Name', importMessages.buildingUnknown(building));
      return null;
    }
    if (found.length > 1) {
      fault('Building Name', importMessages.buildingUnclear(building));
      return null;
    }
    return only;
  };
}
