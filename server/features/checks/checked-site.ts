import { and, eq } from 'drizzle-orm';
import { buildings, counters } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import type { Actor, Sight } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import type { Command } from '../../kernel/commands.ts';
import { nextCounterValue } from '../../kernel/counters.ts';
import { TIME_ZONE } from '../../kernel/settings.ts';

/** The data about a building that recording needs. */
export type CheckedBuilding = {
  id: string;
  name: string;
  code: string;
  isHealthcare: boolean;
  /** The organisation's time zone, in which its days begin. */
  timeZone: string;
};

const CHECK_COUNTER = 'check';

const selectBuilding = statement((db, given: Given<{ id: string; viewerId: string }>, sight: Sight) =>
  db
    .select({
      id: buildings.id,
      name: buildings.name,
      code: buildings.code,
      isHealthcare: buildings.isHealthcare,
      timeZone: TIME_ZONE,
    })
    .from(buildings)
    .where(and(eq(buildings.id, given.id), visibleTo({ viewerId: given.viewerId, sight }, buildings.id))),
);

/** Reads a building if this person may use it. */
export async function findCheckedBuilding(
  { tx }: Command,
  { viewerId, sight }: Pick<Actor, 'viewerId' | 'sight'>,
  buildingId: string,
): Promise<CheckedBuilding | undefined> {
  const [site] = await selectBuilding(tx, { id: buildingId, viewerId }, sight);
  return site;
}

/**
 * Returns the next number of a building's log. The counter stays locked until the end of the command, so that records
 * of a building are stored one after the other, and two concurrent failures of one subject share an issue.
 */
export function nextLogNumber(command: Command, buildingId: string): Promise<number> {
  return nextCounterValue(command, buildingId, CHECK_COUNTER);
}

/** Locks a building's log until the end of the command. The counter exists as soon as the building has a record. */
export async function lockLog({ tx }: Command, buildingId: string): Promise<void> {
  await tx
    .select({ value: counters.value })
    .from(counters)
    .where(and(eq(counters.buildingId, buildingId), eq(counters.kind, CHECK_COUNTER)))
    .for('update');
}
