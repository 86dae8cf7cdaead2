import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { testPoints } from '#db/schema/checks/schedules.ts';
import { floors } from '#db/schema/places.ts';
import type { AssetType, OutletKind } from '#shared/features/assets/assets.vocabulary.ts';
import { subjectTypes } from '#shared/features/checks/definition.ts';
import { checks } from '#shared/features/checks/index.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { nameKey } from '#shared/text/name-keys.ts';

/** A subject of a building: an asset in use or a test point. */
export type BuildingSubject = {
  buildingId: string;
  subjectKey: string;
  assetId: string | null;
  name: string;
  description: string;
  location: string | null;
  floorName: string | null;
  roomName: string | null;
  type: AssetType;
  outletKind: OutletKind | null;
};

/** Reads the assets of these types in use in these buildings, by name. */
export async function assetSubjects(
  db: Queryable,
  buildingIds: readonly string[],
  types: readonly AssetType[],
): Promise<BuildingSubject[]> {
  if (buildingIds.length === 0) return [];
  const rows = await db
    .select({
      buildingId: assets.buildingId,
      subjectKey: sql<string>`${assets.id}`,
      assetId: assets.id,
      name: assets.name,
      description: assets.description,
      location: assets.location,
      floorName: floors.name,
      roomName: assetLocations.roomName,
      type: assets.effectiveType,
      outletKind: assets.outletKind,
    })
    .from(assets)
    .innerJoin(assetLocations, eq(assetLocations.assetId, assets.id))
    .leftJoin(floors, eq(floors.id, assetLocations.floorId))
    .where(
      and(
        inArray(assets.buildingId, [...buildingIds]),
        inArray(sql`${assets.effectiveType} collate "C"`, [...types]),
        isNull(assets.retiredAt),
      ),
    )
    .orderBy(sql`${assets.sortKey} collate "C"`, asc(assets.id));
  return rows;
}

/** Counts the assets of these types in use and the test points of each building. */
export async function countSubjects(
  db: Queryable,
  found: readonly { buildingId: string }[],
  types: readonly AssetType[],
): Promise<Map<string, number>> {
  const ids = found.map(({ buildingId }) => buildingId);
  const ofTypes = inArray(sql`${assets.effectiveType} collate "C"`, [...types]);
  const rows = await db.execute<{ building_id: string; count: number }>(sql`
    select building_id, count(*)::int as count from (
      select ${assets.buildingId} from ${assets}
      where ${isAnyOf(assets.buildingId, ids)} and ${ofTypes} and ${isNull(assets.retiredAt)}
      union all
      select ${testPoints.buildingId} from ${testPoints} where ${isAnyOf(testPoints.buildingId, ids)}
    ) subjects group by building_id`);
  return new Map(rows.map(({ building_id: id, count }) => [id, count]));
}

/** Reads the test points of these buildings. */
export async function pointSubjects(
  db: Queryable,
  buildingIds: readonly string[],
): Promise<(BuildingSubject & { kind: CheckKind })[]> {
  if (buildingIds.length === 0) return [];
  const rows = await db
    .select({ buildingId: testPoints.buildingId, kind: testPoints.kind, name: testPoints.name })
    .from(testPoints)
    .where(inArray(testPoints.buildingId, [...buildingIds]))
    .orderBy(sql`${testPoints.sortKey} collate "C"`, asc(testPoints.id));
  // No spread: a building has hundreds of points, and a copy by spread takes about twelve times as long as a literal.
  return rows.map(({ buildingId, kind, name }) => ({
    buildingId,
    subjectKey: nameKey(name),
    assetId: null,
    name,
    description: '',
    location: null,
    floorName: null,
    roomName: null,
    type: checks[kind].subject.type,
    outletKind: null,
    kind,
  }));
}

/** Reads the subjects of a kind at a building. A test point with the name of an asset is listed once. */
export async function subjectsAt(
  db: Queryable,
  buildingId: string,
  kind: CheckKind,
): Promise<BuildingSubject[]> {
  const found = await assetSubjects(db, [buildingId], subjectTypes(checks[kind].subject));
  if (checks[kind].subject.of === 'assets') return found;
  return mergeTestPoints(
    found,
    (await pointSubjects(db, [buildingId])).filter((point) => point.kind === kind),
  );
}

/** Returns the assets, followed by the test points that have no asset's name. */
export function mergeTestPoints(
  found: BuildingSubject[],
  points: readonly BuildingSubject[],
): BuildingSubject[] {
  const names = new Set(found.map(({ name }) => nameKey(name)));
  return [...found, ...points.filter(({ subjectKey }) => !names.has(subjectKey))];
}
