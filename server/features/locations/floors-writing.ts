import { and, eq, inArray, isNull, ne } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { floors } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { floorLabel, floorLevels } from '#shared/features/locations/floors.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey } from '#shared/text/name-keys.ts';

/**
 * Adds the levels that a building of this many floors does not have yet (ruling A12); archived levels are restored
 * unchanged. The building's row must be locked.
 * @returns the number of floors in use before, and the number added
 * @throws AppError `invalid` if one of them would have the name of another floor in use
 */
export async function addMissingFloors(
  tx: Transaction,
  building: { id: string; floors: number; basement: boolean },
  now: string,
): Promise<{ before: number; added: number }> {
  const present = await tx
    .select({ level: floors.level, name: floors.name, archivedAt: floors.archivedAt })
    .from(floors)
    .where(eq(floors.buildingId, building.id));
  const known = new Map(present.map(({ level, archivedAt }) => [level, archivedAt]));
  const wanted = floorLevels(building.floors, building.basement);
  const missing = wanted.filter((level) => !known.has(level));
  // Undefined means missing, null means in use.
  const archived = wanted.filter((level) => typeof known.get(level) === 'string');
  assertApart(present, missing, archived);
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

type Present = { level: number; name: string; archivedAt: string | null };

/** Checks that added and restored floors differ in name from those in use and from each other. */
function assertApart(
  present: readonly Present[],
  missing: readonly number[],
  archived: readonly number[],
): void {
  const inUse = present.filter(({ archivedAt }) => archivedAt === null);
  const met = new Set(inUse.map(({ name }) => nameKey(name)));
  const back = present.filter(({ level }) => archived.includes(level));
  for (const { level, name } of [...back, ...missing.map((level) => ({ level, name: floorLabel(level) }))]) {
    if (met.has(nameKey(name))) {
      throw new AppError('invalid', {
        data: { fields: { floors: placeMessages.floorsTaken(name, level) } },
      });
    }
    met.add(nameKey(name));
  }
}

/**
 * Finds the other floor in use with this name. Names are unique per building, because a file of assets names floors by
 * them. The building's row must be locked.
 * @returns that floor's name as it is spelled
 */
export async function floorCalled(
  tx: Transaction,
  { id, buildingId }: { id: string; buildingId: string },
  name: string,
): Promise<string | undefined> {
  const [holder] = await tx
    .select({ name: floors.name })
    .from(floors)
    .where(
      and(
        eq(floors.buildingId, buildingId),
        isNull(floors.archivedAt),
        ne(floors.id, id),
        eq(floors.nameKey, nameKey(name)),
      ),
    )
    .limit(1);
  return holder?.name;
}
