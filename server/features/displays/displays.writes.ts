import { inArray, sql } from 'drizzle-orm';
import { isAnyOf } from '#db/is-any-of.ts';
import { displayBuildings, displays } from '#db/schema/displays.ts';
import type { Command } from '../../kernel/commands.ts';

/**
 * Records an access event for the displays that list one of these buildings, which was archived or restored, so that they stop
 * showing it or show it again. Displays that show all buildings get the events of the buildings' own rows. Call it with the
 * buildings locked.
 */
export async function recordAccessOfDisplays(
  { tx, recordAccess }: Command,
  buildingIds: readonly string[],
): Promise<void> {
  const listing = tx
    .select({ id: displayBuildings.displayId })
    .from(displayBuildings)
    .where(isAnyOf(displayBuildings.buildingId, buildingIds));
  const raised = await tx
    .update(displays)
    .set({ version: sql`${displays.version} + 1` })
    .where(inArray(displays.id, listing))
    .returning({ id: displays.id, version: displays.version });
  if (raised.length === 0) return;
  const people = Object.fromEntries(raised.map(({ id, version }) => [id, version]));
  await recordAccess({ people, lost: [], gained: [], lists: 'left_out' });
}
