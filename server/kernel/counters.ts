import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { buildings, counters } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import type { Actor } from '../access/actor.ts';
import { visibleTo } from '../access/visible-to.ts';
import type { Command } from './commands.ts';

const advance = statement((db, given: Given<{ buildingId: string; kind: string }>) =>
  db
    .insert(counters)
    .values({ buildingId: given.buildingId, kind: given.kind, value: 1 })
    .onConflictDoUpdate({
      target: [counters.buildingId, counters.kind],
      set: { value: sql`${counters.value} + 1` },
    })
    .returning({ value: counters.value }),
);

/**
 * Takes numbers of a kind in several buildings, a given count in each. The counters stay locked until the command ends;
 * they are locked in the order of the buildings' ids, so that two commands cannot deadlock.
 * @returns the first number of each building
 */
export async function reserveCounterValues(
  { tx }: Command,
  kind: string,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const wanted = [...counts].map(([id, count]) => ({ id, count }));
  const advanced = await tx.execute<{ id: string; value: number }>(sql`
    insert into ${counters} (building_id, kind, value)
    select id, ${kind}, count
    from json_to_recordset(${JSON.stringify(wanted)}::text::json) as w (id uuid, count int) order by id
    on conflict (building_id, kind) do update set value = ${counters.value} + excluded.value
    returning building_id as id, value`);
  return new Map(advanced.map(({ id, value }) => [id, value - (counts.get(id) ?? 0) + 1]));
}

/** Returns the building's next number of a kind. The counter stays locked until the command ends (rule S7). */
export async function nextCounterValue({ tx }: Command, buildingId: string, kind: string): Promise<number> {
  const [counter] = await advance(tx, { buildingId, kind });
  if (counter === undefined) throw new Error('a counter answered nothing');
  return counter.value;
}

/**
 * Returns the code of a building that a person may see, and its next number of a kind. Nothing is taken: a concurrent
 * command may have the number first.
 * @throws AppError `not_found` if there is no such building for this person
 */
export async function previewNumber(
  db: Queryable,
  actor: Actor,
  { buildingId, kind }: { buildingId: string; kind: string },
): Promise<{ code: string; next: number }> {
  const [row] = await db
    .select({ code: buildings.code, last: counters.value })
    .from(buildings)
    .leftJoin(counters, and(eq(counters.buildingId, buildings.id), eq(counters.kind, kind)))
    .where(and(eq(buildings.id, buildingId), visibleTo(actor, buildings.id)));
  if (row === undefined) throw new AppError('not_found');
  return { code: row.code, next: (row.last ?? 0) + 1 };
}
