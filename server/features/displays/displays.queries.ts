import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { displayBeats, displayBuildings, displays } from '#db/schema/displays.ts';
import { streamHead } from '#db/schema/live.ts';
import type { Display, Fleet } from '#shared/features/displays/displays.ts';
import { readInParts } from '../../kernel/concurrency/read-in-parts.ts';

function selectDisplays(db: Queryable) {
  return db
    .select({
      id: displays.id,
      name: displays.name,
      view: displays.view,
      allBuildings: displays.allBuildings,
      buildingIds: sql<string[]>`array(select d.building_id from ${displayBuildings} d
        where d.display_id = ${displays}.id order by d.building_id)`,
      settings: displays.settings,
      createdAt: displays.createdAt,
      pausedAt: displays.pausedAt,
      reloadAskedAt: displays.reloadAskedAt,
      unpairedAt: displays.unpairedAt,
      version: displays.version,
    })
    .from(displays)
    .$dynamic();
}

/** Number of displays whose buildings are read together: each display may list thousands. */
const READ_AT_ONCE = 5;

/** Lists the paired displays, by name. */
export async function listDisplays(db: Queryable): Promise<Display[]> {
  const paired = await db
    .select({ id: displays.id })
    .from(displays)
    .where(isNull(displays.unpairedAt))
    .orderBy(sql`${displays.sortKey} collate "C"`, displays.id);
  const ids = paired.map(({ id }) => id);
  const read = (some: readonly string[]) => selectDisplays(db).where(isAnyOf(displays.id, some));
  return readInParts(ids, read, { atOnce: READ_AT_ONCE });
}

/** Reads one display, paired or not; undefined if there is none. */
export async function findDisplay(db: Queryable, id: string): Promise<Display | undefined> {
  const [row] = await selectDisplays(db).where(eq(displays.id, id));
  return row;
}

/** The last beats of the paired displays, and the newest position, for comparison with the positions of the beats. */
export async function readFleet(db: Queryable, now: Date): Promise<Fleet> {
  const rows = await db
    .select({
      displayId: displayBeats.displayId,
      seenAt: displayBeats.seenAt,
      g: displayBeats.g,
      build: displayBeats.build,
      width: displayBeats.width,
      height: displayBeats.height,
      address: displayBeats.address,
    })
    .from(displayBeats)
    .innerJoin(displays, and(eq(displays.id, displayBeats.displayId), isNull(displays.unpairedAt)));
  const [head] = await db.select({ g: streamHead.g }).from(streamHead).orderBy(desc(streamHead.g)).limit(1);
  return { at: now.toISOString(), head: head?.g ?? 0, rows };
}
