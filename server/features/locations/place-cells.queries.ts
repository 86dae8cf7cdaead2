import { and, eq, exists, isNull, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { buildings, clients } from '#db/schema/places.ts';
import { referencesInSteps, withCode } from '#shared/features/locations/building-references.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { readInParts } from '../../kernel/concurrency/read-in-parts.ts';
import { finishYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';

/**
 * Reads how a list in a cell names each building that a person may see (`referencesOf`).
 * @returns by id, in the order of the buildings' names
 */
export async function buildingReferences(db: Queryable, actor: Actor): Promise<Map<string, string>> {
  const ordered = await db
    .select({ id: buildings.id })
    .from(buildings)
    .where(visibleTo(actor, buildings.id))
    .orderBy(sql`${buildings.sortKey} collate "C"`, buildings.code);
  const rows = await readInParts(
    ordered.map(({ id }) => id),
    (some) =>
      db
        .select({ id: buildings.id, name: buildings.name, code: buildings.code, clientName: clients.name })
        .from(buildings)
        .innerJoin(clients, eq(clients.id, buildings.clientId))
        .where(isAnyOf(buildings.id, some)),
  );
  return finishYielding(referencesInSteps(rows));
}

/** The columns Client and Building Name of files. */
type PlaceCells = { client: string; building: string };

/**
 * Reads how files name these buildings, whose visibility the caller has checked: by client and name, and with the code if
 * the client has another building of that name.
 */
export async function placeCells(
  db: Queryable,
  buildingIds: readonly string[],
): Promise<(id: string) => PlaceCells> {
  const twins = alias(buildings, 'twins');
  const twin = db
    .select({ id: twins.id })
    .from(twins)
    .where(
      and(
        eq(twins.clientId, buildings.clientId),
        eq(twins.nameKey, buildings.nameKey),
        ne(twins.id, buildings.id),
        isNull(twins.archivedAt),
      ),
    );
  const rows = await db
    .select({
      id: buildings.id,
      client: clients.name,
      name: buildings.name,
      code: buildings.code,
      hasTwin: sql<boolean>`${exists(twin)}`,
    })
    .from(buildings)
    .innerJoin(clients, eq(clients.id, buildings.clientId))
    .where(isAnyOf(buildings.id, [...new Set(buildingIds)]));
  const cells = new Map(
    rows.map(({ id, client, name, code, hasTwin }) => [
      id,
      { client, building: hasTwin ? withCode(name, code) : name },
    ]),
  );
  return (id) => cells.get(id) ?? { client: '', building: '' };
}
