import { sql } from 'drizzle-orm';
import { profiles } from '#db/schema/people.ts';
import type { Building } from '#shared/features/locations.ts';
import type { Command } from '../../commands.ts';
import { isOneOf } from '../../is-one-of.ts';
import { ENTITIES_IN_BUILDINGS, sampleIn, TOLD_APART_MAX } from '../../live-entities.ts';
import { accessOf, findPeople } from '../users/users.queries.ts';

/** Everybody who sees them hears that buildings went to the archive or came back. */
export async function tellBuildings(
  { record, recordBulkIn }: Command,
  before: readonly Building[],
  archivedAt: string | null,
): Promise<void> {
  const [first] = before;
  if (first !== undefined && before.length > TOLD_APART_MAX) {
    // That their client went or came back is on record; a change of somebody else does not wait for thousands.
    const ids = before.map(({ id }) => id);
    await recordBulkIn({ entity: 'building', row: { ...first, id: first.clientId } }, ids);
    return;
  }
  // All at once: they travel together and keep their order.
  await Promise.all(
    before.map((building) =>
      record({
        op: 'put',
        entity: 'building',
        row: { ...building, archivedAt, version: building.version + 1 },
        changes: { archivedAt: [building.archivedAt, archivedAt] },
      }),
    ),
  );
}

/** Those who were given the building lose or gain it in their open windows, with everything in it. */
export async function tellPeople(command: Command, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { tx } = command;
  await tx
    .update(profiles)
    .set({ version: sql`${profiles.version} + 1` })
    .where(isOneOf(profiles.id, userIds));
  for (const person of await findPeople(tx, userIds)) {
    await command.record({ entity: 'person', op: 'put', row: person, changes: null });
    await command.recordAccess(accessOf(person));
  }
}

/** Who sees every building gains and loses none, so their lists of what lies in buildings are taken again. */
export async function tellLists({ recordBulk }: Command, [buildingId]: readonly string[]): Promise<void> {
  if (buildingId === undefined) return;
  for (const entity of ENTITIES_IN_BUILDINGS) await recordBulk(sampleIn(entity, buildingId));
}
