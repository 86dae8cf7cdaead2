import { sql } from 'drizzle-orm';
import { counters } from '#db/schema/places.ts';
import type { Command } from './commands.ts';

/** Returns the building's next number of a kind. The counter stays locked until the command ends (rule S7). */
export async function nextCounterValue({ tx }: Command, buildingId: string, kind: string): Promise<number> {
  const [counter] = await tx
    .insert(counters)
    .values({ buildingId, kind, value: 1 })
    .onConflictDoUpdate({
      target: [counters.buildingId, counters.kind],
      set: { value: sql`${counters.value} + 1` },
    })
    .returning({ value: counters.value });
  if (counter === undefined) throw new Error('a counter answered nothing');
  return counter.value;
}
