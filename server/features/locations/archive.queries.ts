import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { buildings, clients, floors } from '#db/schema/places.ts';
import { tasks } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import type { ListArchivedInput } from '#shared/features/locations/locations.inputs.ts';
import type { ArchivedPage, ArchivedPlace, DependentCounts } from '#shared/features/locations/locations.ts';
import type { DependentKind } from '#shared/features/locations/locations.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { cutPage, isOlder } from '../../kernel/lists/page.ts';

/**
 * Lists archived places, newest first. Places archived together with their client or building are left out, because
 * they are restored with it.
 */
export async function listArchived(
  db: Queryable,
  { cursor, limit }: ListArchivedInput,
): Promise<ArchivedPage> {
  const archived = sql`(
    select 'client' as kind, c.id, c.name, null as within, c.archived_at, c.version
    from ${clients} c where c.archived_at is not null
    union all
    select 'building', b.id, b.name, c.name, b.archived_at, b.version
    from ${buildings} b join ${clients} c on c.id = b.client_id
    where b.archived_at is not null and b.archived_at is distinct from c.archived_at
    union all
    select 'floor', f.id, f.name, b.name, f.archived_at, b.version
    from ${floors} f join ${buildings} b on b.id = f.building_id
    where f.archived_at is not null and b.archived_at is null) a`;
  const after =
    cursor === undefined
      ? sql`true`
      : isOlder([sql`a.archived_at`, sql`a.id`], { at: cursor.archivedAt, id: cursor.id });
  type Row = Omit<ArchivedPlace, 'archivedAt'> & { archived_at: string | Date };
  const rows = await db.execute<Row>(sql`
    select * from ${archived} where ${after} order by a.archived_at desc, a.id desc limit ${limit + 1}`);
  const [counted] = await db.execute<{ total: number }>(sql`select count(*)::int as total from ${archived}`);
  const found = [...rows].map(({ archived_at, ...row }) => ({
    ...row,
    archivedAt: new Date(archived_at).toISOString(),
  }));
  return {
    ...cutPage(found, limit, ({ archivedAt, id }) => ({ archivedAt, id })),
    total: counted?.total ?? 0,
  };
}

/**
 * Counts the rows that belong to a client.
 * @throws AppError `not_found` if there is none in use
 */
export async function countClientDependents(db: Queryable, id: string): Promise<DependentCounts> {
  const [found] = await db.execute(sql`select 1 from ${clients} where id = ${id} and archived_at is null`);
  if (found === undefined) throw new AppError('not_found');
  return countRecords(db, sql`(select id from ${buildings} where client_id = ${id})`, true);
}

/**
 * Counts the rows that belong to a building.
 * @throws AppError `not_found` if there is none in use
 */
export async function countBuildingDependents(db: Queryable, id: string): Promise<DependentCounts> {
  const [found] = await db.execute(sql`select 1 from ${buildings} where id = ${id} and archived_at is null`);
  if (found === undefined) throw new AppError('not_found');
  return countRecords(db, sql`(select ${id}::uuid as id)`, false);
}

/**
 * Counts the assets on a floor and their visits.
 * @throws AppError `not_found` if there is none that this person may see
 */
export async function countFloorDependents(
  db: Queryable,
  actor: Actor,
  id: string,
): Promise<DependentCounts> {
  const [found] = await db
    .select({ buildingId: floors.buildingId })
    .from(floors)
    .where(and(eq(floors.id, id), isNull(floors.archivedAt), visibleTo(actor, floors.buildingId)));
  if (found === undefined) throw new AppError('not_found');
  const here = sql`(select asset_id from ${assetLocations} where floor_id = ${id})`;
  return counted(
    db,
    sql`select 'asset' as kind, count(*)::int as count from ${here} h
      union all
      select 'check', count(distinct visit_id)::int from ${checkEntries}
      where building_id = ${found.buildingId} and asset_id in ${here}`,
  );
}

/** @param within a subquery that selects the ids of buildings */
async function countRecords(
  db: Queryable,
  within: ReturnType<typeof sql>,
  withBuildings: boolean,
): Promise<DependentCounts> {
  const parts = sql.join(
    [
      withBuildings ? sql`select 'building' as kind, count(*)::int as count from ${within} w` : undefined,
      sql`select 'floor' as kind, count(*)::int as count from ${floors} where building_id in ${within}`,
      sql`select 'asset', count(*)::int from ${assets} where building_id in ${within}`,
      sql`select 'issue', count(*)::int from ${buildingIssues} where building_id in ${within}`,
      sql`select 'check', count(*)::int from ${operativeVisits} where location_id in ${within}`,
      sql`select 'task', count(*)::int from ${tasks} where location_id in ${within}`,
    ].filter((part) => part !== undefined),
    sql` union all `,
  );
  return counted(db, parts);
}

async function counted(db: Queryable, query: ReturnType<typeof sql>): Promise<DependentCounts> {
  const rows = await db.execute<{ kind: DependentKind; count: number }>(query);
  return [...rows].filter(({ count }) => count > 0);
}
