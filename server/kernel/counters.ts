import { sql } from 'drizzle-orm';
import { counters } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
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

/** Returns the building's next number of a kind. The counter stays locked until the command ends (rule S7). */
export async function nextCounterValue({ tx }: Command, buildingId: string, kind: string): Promise<number> {
  const [counter] = await advance(tx, { buildingId, kind });
  if (counter === undefined) throw new Error('a counter answered nothing');
  return counter.value;
}
