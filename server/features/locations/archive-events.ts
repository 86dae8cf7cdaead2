import { and, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { profiles, userLocationAccess } from '#db/schema/people.ts';
import type { Building } from '#shared/features/locations/locations.ts';
import { ENTITIES_IN_BUILDINGS } from '#shared/live/live-entities.ts';
import type { Command } from '../../kernel/commands.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';

/** Records that buildings were archived or restored. */
export async function publishBuildings(
  { record, recordBulkIn }: Command,
  before: readonly Building[],
  archivedAt: string | null,
): Promise<void> {
  const [first] = before;
  if (first !== undefined && before.length > SEPARATE_EVENTS_MAX) {
    // The client's own event is recorded as well. All buildings share one bulk event, so that other changes do not wait behind
    // thousands of events.
    const ids = before.map(({ id }) => id);
    await recordBulkIn({ entity: 'building', row: { ...first, id: first.clientId } }, ids);
    return;
  }
  // All at once: the statements are sent together and keep their order.
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

type Loss = { lost: readonly string[] };
type Gain = { gained: readonly string[] };
/**
 * The most ids of buildings in access events. Above this limit, too many people have different lists, and the events do not list
 * the buildings of each group.
 */
const LISTED_MAX = 10_000;

/**
 * Records that these people, whose rows are locked, lose or gain access to the buildings among these that are assigned to
 * them. One event for all people with the same change; lists of people follow from the events of the buildings.
 */
export async function publishPeople(
  { tx, recordAccess }: Command,
  userIds: readonly string[],
  change: Loss | Gain,
): Promise<void> {
  if (userIds.length === 0) return;
  const raised = await tx
    .update(profiles)
    .set({ version: sql`${profiles.version} + 1` })
    .where(isAnyOf(profiles.id, userIds))
    .returning({ id: profiles.id, version: profiles.version });
  const versions = new Map(raised.map(({ id, version }) => [id, version]));
  const buildingIds = 'lost' in change ? change.lost : change.gained;
  const people = Object.fromEntries(versions);
  const groups = await groupsOf(tx, [...versions.keys()], buildingIds);
  if (groups === undefined) {
    // Taking away more than was assigned is harmless; giving more would not be.
    if ('lost' in change) await recordAccess({ people, lost: [...buildingIds], gained: [], lists: 'wider' });
    else await recordAccess({ people, lost: [], gained: [], lists: 'left_out' });
    return;
  }
  for (const { userIds: same, given } of groups) {
    const [lost, gained] = 'lost' in change ? [given, []] : [[], given];
    const theirs = Object.fromEntries(same.map((id) => [id, versions.get(id) ?? 0]));
    await recordAccess({ people: theirs, lost, gained, lists: 'exact' });
  }
}

type Group = { userIds: string[]; given: string[] };

/** Groups people by which of these buildings are assigned to them; undefined if the lists would be too long. */
async function groupsOf(
  tx: Transaction,
  userIds: readonly string[],
  buildingIds: readonly string[],
): Promise<Group[] | undefined> {
  // With one building, everyone in `userIds` has it.
  if (buildingIds.length === 1) return [{ userIds: [...userIds], given: [...buildingIds] }];
  const { userId, buildingId } = userLocationAccess;
  const given = tx
    .select({ userId, ids: sql<string[]>`array_agg(${buildingId} order by ${buildingId})`.as('ids') })
    .from(userLocationAccess)
    .where(and(isAnyOf(userId, userIds), isAnyOf(buildingId, buildingIds)))
    .groupBy(userId)
    .as('given');
  const groups = await tx
    .select({ userIds: sql<string[]>`array_agg(${given.userId})`, given: given.ids })
    .from(given)
    .groupBy(given.ids)
    .limit(LISTED_MAX);
  const listed = groups.reduce((sum, group) => sum + group.given.length, 0);
  return listed > LISTED_MAX ? undefined : groups;
}

/**
 * Resets the lists of assets, issues and the like for people who see all buildings, because they get no access event.
 */
export async function publishListReset(
  { recordBulk }: Command,
  [buildingId]: readonly string[],
): Promise<void> {
  if (buildingId === undefined) return;
  for (const entity of ENTITIES_IN_BUILDINGS) await recordBulk({ entity, buildingId });
}
