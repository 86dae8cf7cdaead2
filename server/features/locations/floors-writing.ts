import { and, eq, inArray } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { floors } from '#db/schema/places.ts';
import { floorLabel, floorLevels } from '#shared/floors.ts';
import { uuidv7 } from '#shared/ids.ts';

/**
 * Adds the floors that a building of so many has not yet (ruling A12). One that lies in the archive comes back as it
 * was. The building's row must be locked.
 * @returns how many there were before, and how many were added
 */
export async function addMissingFloors(
  tx: Transaction,
  building: { id: string; floors: number; basement: boolean },
  now: string,
): Promise<{ before: number; added: number }> {
  const present = await tx
    .select({ level: floors.level, archivedAt: floors.archivedAt })
    .from(floors)
    .where(eq(floors.buildingId, building.id));
  const known = new Map(present.map(({ level, archivedAt }) => [level, archivedAt]));
  const wanted = floorLevels(building.floors, building.basement);
  const missing = wanted.filter((level) => !known.has(level));
  // Undefined is missing, null is in use.
  const archived = wanted.filter((level) => typeof known.get(level) === 'string');
  if (archived.length > 0) {
    await tx
      .update(floors)
      .set({ archivedAt: null })
      .where(and(eq(floors.buildingId, building.id), inArray(floors.level, archived)));
  }
  if (missing.length > 0) {
    await tx.insert(floors).values(
      missing.map((level) => ({
        id: uuidv7(),
        buildingId: building.id,
        level,
        name: floorLabel(level),
        isBasement: level < 0,
        createdAt: now,
      })),
    );
  }
  const before = present.filter(({ archivedAt }) => archivedAt === null).length;
  return { before, added: missing.length + archived.length };
}
