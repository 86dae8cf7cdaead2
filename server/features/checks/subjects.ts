import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { testPoints } from '#db/schema/checks/schedules.ts';
import { floors } from '#db/schema/places.ts';
import type { AssetType, OutletKind } from '#shared/features/assets.vocabulary.ts';
import { subjectTypes } from '#shared/features/checks/define.ts';
import { checks } from '#shared/features/checks/index.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';

/** Something of a site that is checked: an asset in use, or a place with a name. */
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

/** What these sites have of the types, in use, by name. */
export async function assetSubjects(
  db: Queryable,
  buildingIds: readonly string[],
  types: readonly AssetType[],
): Promise<BuildingSubject[]> {
  if (buildingIds.length === 0) return [];
  const rows = await db
    .select({
      buildingId: assets.buildingId,
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
    .orderBy(sql`lower(${assets.name}) collate "C"`, asc(assets.id));
  return rows.map((row) => ({ ...row, subjectKey: row.assetId }));
}

/** The named places of these sites that are no assets. */
export async function pointSubjects(
  db: Queryable,
  buildingIds: readonly string[],
): Promise<(BuildingSubject & { kind: CheckKind })[]> {
  if (buildingIds.length === 0) return [];
  const rows = await db
    .select({ buildingId: testPoints.buildingId, kind: testPoints.kind, name: testPoints.name })
    .from(testPoints)
    .where(inArray(testPoints.buildingId, [...buildingIds]))
    .orderBy(sql`lower(${testPoints.name}) collate "C"`, asc(testPoints.id));
  return rows.map(({ kind, ...row }) => {
    const { type } = checks[kind].subject;
    const nowhere = { description: '', location: null, floorName: null, roomName: null, outletKind: null };
    return { ...row, ...nowhere, kind, type, assetId: null, subjectKey: row.name.toLowerCase() };
  });
}

/** What is checked at a site in this way. A named place that is an asset, too, is there once. */
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

/** Assets, then those named places that are none of them. */
export function mergeTestPoints(
  found: BuildingSubject[],
  points: readonly (BuildingSubject & { kind: CheckKind })[],
): BuildingSubject[] {
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  return [
    ...found,
    ...points.filter(({ subjectKey }) => !names.has(subjectKey)).map(({ kind: _kind, ...point }) => point),
  ];
}
