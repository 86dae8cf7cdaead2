import { and, eq } from 'drizzle-orm';
import { buildings, counters } from '#db/schema/places.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import type { Command } from '../../kernel/commands.ts';
import { nextCounterValue } from '../../kernel/counters.ts';

/** What recording needs to know of a site. */
export type CheckedBuilding = { id: string; code: string; clientId: string; isHealthcare: boolean };

const CHECK_COUNTER = 'check';

/** A site, if this person may use it. */
export async function findCheckedBuilding(
  { tx }: Command,
  actor: Pick<Actor, 'userId' | 'role'>,
  buildingId: string,
): Promise<CheckedBuilding | undefined> {
  const [site] = await tx
    .select({
      id: buildings.id,
      code: buildings.code,
      clientId: buildings.clientId,
      isHealthcare: buildings.isHealthcare,
    })
    .from(buildings)
    .where(and(eq(buildings.id, buildingId), visibleTo(actor, buildings.id)));
  return site;
}

/**
 * The next number of a site's log. The counter stays locked until the end of the command, so that whatever is
 * recorded at a site is recorded one after the other: two failures of one thing at once meet the same issue.
 */
export function nextLogNumber(command: Command, buildingId: string): Promise<number> {
  return nextCounterValue(command, buildingId, CHECK_COUNTER);
}

/** Waits until nobody else writes to the site's log. A site with a record has its counter. */
export async function lockLog({ tx }: Command, buildingId: string): Promise<void> {
  await tx
    .select({ value: counters.value })
    .from(counters)
    .where(and(eq(counters.buildingId, buildingId), eq(counters.kind, CHECK_COUNTER)))
    .for('update');
}
