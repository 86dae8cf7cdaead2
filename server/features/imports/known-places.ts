import { eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf, isAnyOfTexts } from '#db/is-any-of.ts';
import { buildings, clients } from '#db/schema/places.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { withCode } from '#shared/features/locations/building-references.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { readInParts } from '../../kernel/concurrency/read-in-parts.ts';
import { forEachYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { addTo, parts, READ_AT_ONCE } from './import-plan.ts';

export type KnownClient = { id: string; name: string; archivedAt: string | null };

/** Reads the clients that have one of these name keys, by key; archived clients, too. */
export async function clientsNamed(
  db: Queryable,
  keys: ReadonlySet<string>,
): Promise<Map<string, KnownClient>> {
  const known = new Map<string, KnownClient>();
  for (const some of parts([...keys], READ_AT_ONCE)) {
    const rows = await db
      .select({ id: clients.id, name: clients.name, archivedAt: clients.archivedAt, key: clients.nameKey })
      .from(clients)
      .where(isAnyOfTexts(clients.nameKey, some));
    await forEachYielding(rows, ({ key, ...client }) => known.set(key, client));
  }
  return known;
}

export type KnownBuilding = { id: string; name: string; code: string; clientName: string };

/** Finds a building by name, code or both, with or without its client's name. Unless it finds one, reports a fault. */
export type FindBuilding = (
  named: { client: string; building: string },
  fault: (column: string, text: string) => void,
) => KnownBuilding | null;

/** Returns a lookup of the buildings that a person may see, by the names that a file uses. */
export async function buildingFinder(db: Queryable, actor: Actor): Promise<FindBuilding> {
  const visible = await db.select({ id: buildings.id }).from(buildings).where(visibleTo(actor, buildings.id));
  const rows = await readInParts(
    visible.map(({ id }) => id),
    (some) =>
      db
        .select({ id: buildings.id, name: buildings.name, code: buildings.code, clientName: clients.name })
        .from(buildings)
        .innerJoin(clients, eq(clients.id, buildings.clientId))
        .where(isAnyOf(buildings.id, some)),
  );
  const byName = new Map<string, KnownBuilding[]>();
  await forEachYielding(rows, (row) => {
    const keys = new Set([row.name, row.code, withCode(row.name, row.code)].map(nameKey));
    for (const key of keys) addTo(byName, key, row);
  });
  return ({ client, building }, fault) => {
    const named = byName.get(nameKey(building)) ?? [];
    const ofClient =
      client === '' ? named : named.filter(({ clientName }) => nameKey(clientName) === nameKey(client));
    // A building with this name takes precedence over another building with this code.
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
