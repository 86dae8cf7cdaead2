import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { assets } from '#db/schema/assets.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import type {
  Asset,
  AssetCounts,
  AssetCursor,
  AssetFilter,
  AssetOrder,
  AssetPage,
} from '#shared/features/assets/assets.ts';
import { COUNTED_MAX } from '#shared/text/counted.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { EXPORT_ROWS } from '../../kernel/lists/exported-list.ts';
import { cursorKeys, orderBy, sortedOrderBy } from '../../kernel/lists/keyset.ts';
import { keysetOf, whereAfterAsset, whereFilter, whereText } from './asset-filter.ts';
import { selectAssets } from './asset-row.ts';

type ListInput = {
  filter: AssetFilter;
  order: AssetOrder;
  cursor?: AssetCursor | undefined;
  limit: number;
};

/** Returns a page of the assets that a person may see, in the requested order. */
export async function listAssets(db: Queryable, actor: Actor, input: ListInput): Promise<AssetPage> {
  const { filter, order, cursor, limit } = input;
  // One row more than requested shows whether there is a next page.
  const ids = await choose(db, actor, { filter, order, cursor, limit: limit + 1 });
  const page = ids.slice(0, limit);
  if (page.length === 0) return { rows: [], nextCursor: null };
  const rows = await selectAssets(db)
    .where(inArray(assets.id, page))
    .orderBy(...orderBy(keysetOf(order)));
  const last = rows.at(-1);
  const more = ids.length > limit && last !== undefined;
  return { rows, nextCursor: more ? await cursorAt(db, order, last.id) : null };
}

/** How many rows a search for a common text reads in index order, before it sorts all matches instead. */
const WALKED = 2_000;

/** Selects the ids of a page by index, before anything else is joined. */
async function choose(
  db: Queryable,
  actor: Actor,
  { filter, order, cursor, limit }: ListInput,
): Promise<string[]> {
  const after = cursor === undefined ? undefined : whereAfterAsset(order, cursor);
  const rows = (where: SQL | undefined, by: SQL[], most: number) => {
    const from = db.select(getTableColumns(assets)).from(assets).$dynamic();
    const joined =
      order.sort === 'building' ? from.innerJoin(buildings, eq(buildings.id, assets.buildingId)) : from;
    return joined
      .where(and(where, after))
      .orderBy(...by)
      .limit(most);
  };
  const idsOf = async (found: Promise<{ id: string }[]>) => (await found).map(({ id }) => id);
  const chosen = (where: SQL | undefined, by: SQL[]) => {
    const page = rows(where, by, limit).as('page');
    return idsOf(db.select({ id: page.id }).from(page));
  };
  const matching = and(visibleTo(actor, assets.buildingId), whereFilter(db, filter));
  if (whereText(filter) === undefined) return chosen(matching, orderBy(keysetOf(order)));
  const few = await idsOf(selectUpTo(db, matching, COUNTED_MAX + 1));
  if (few.length <= COUNTED_MAX) return chosen(isAnyOf(assets.id, few), sortedOrderBy(keysetOf(order)));
  // The planner assumes that matches are spread evenly over the order. With many matches, walking the index mostly fills a
  // page soon; otherwise it could read every row, so the walk is limited.
  // The subquery has the name of the table, so that the same conditions apply to it.
  const walked = rows(undefined, orderBy(keysetOf(order)), WALKED).as('assets');
  const met = await idsOf(db.select({ id: walked.id }).from(walked).where(matching).limit(limit));
  return met.length === limit ? met : chosen(matching, sortedOrderBy(keysetOf(order)));
}

async function cursorAt(db: Queryable, order: AssetOrder, id: string): Promise<AssetCursor> {
  const [row] = await db
    .select({ keys: cursorKeys(keysetOf(order)) })
    .from(assets)
    .innerJoin(buildings, eq(buildings.id, assets.buildingId))
    .where(eq(assets.id, id));
  if (row === undefined) throw new Error(`asset ${id} is gone within one snapshot`);
  return { keys: row.keys, id };
}

/** Yields all assets that match a filter, by name, page by page. */
export async function* assetsForExport(
  db: Queryable,
  actor: Actor,
  filter: AssetFilter,
): AsyncGenerator<Asset[], void, undefined> {
  const order = { sort: 'name', direction: 'asc' } as const;
  let cursor: AssetCursor | undefined;
  do {
    const page: AssetPage = await listAssets(db, actor, { filter, order, cursor, limit: EXPORT_ROWS });
    if (page.rows.length > 0) yield page.rows;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Counts the assets that match a filter, and all assets with the same building and status. */
export async function countAssets(db: Queryable, actor: Actor, filter: AssetFilter): Promise<AssetCounts> {
  const total = await count(db, actor, scopeOf(filter));
  if (!isNarrowed(filter)) return { total, matching: total, matchingIsLeast: false };
  const matching = await count(db, actor, filter, whereText(filter) && COUNTED_MAX + 1);
  const matchingIsLeast = whereText(filter) !== undefined && matching > COUNTED_MAX;
  return { total, matching: matchingIsLeast ? COUNTED_MAX : matching, matchingIsLeast };
}

function scopeOf({ buildingId, status }: AssetFilter): AssetFilter {
  return { ...(buildingId === undefined ? {} : { buildingId }), ...(status === undefined ? {} : { status }) };
}

function isNarrowed({ floorId, type, search }: AssetFilter): boolean {
  return floorId !== undefined || type !== undefined || (search ?? '').trim() !== '';
}

/** @param most the count at which to stop */
async function count(db: Queryable, actor: Actor, filter: AssetFilter, most?: number): Promise<number> {
  const matching = and(visibleTo(actor, assets.buildingId), whereFilter(db, filter));
  if (most === undefined) return db.$count(assets, matching);
  return db.$count(selectUpTo(db, matching, most).as('counted'));
}

/**
 * Selects the ids of at most `most` assets that match a text, in any order. With `limit` alone, the planner expects to find
 * enough matches early in the table, but they may be at its end. For a materialised list, the planner plans for all matches and
 * uses the index; Postgres still reads only as many rows as the limit allows.
 */
function selectUpTo(db: Queryable, matching: SQL | undefined, most: number) {
  const all = db.select({ id: assets.id }).from(assets).where(matching);
  return db
    .select({ id: sql<string>`id`.as('id') })
    .from(sql`(with found as materialized (${all}) select id from found) as matching`)
    .limit(most);
}

/** Reads the selected assets that this person may see, by name. */
export function someAssets(db: Queryable, actor: Actor, ids: readonly string[]): Promise<Asset[]> {
  return selectAssets(db)
    .where(and(inArray(assets.id, [...ids]), visibleTo(actor, assets.buildingId)))
    .orderBy(...orderBy(keysetOf({ sort: 'name', direction: 'asc' })));
}

/** @throws AppError `not_found` if the asset does not exist or this person may not see its building */
export async function getAsset(db: Queryable, actor: Actor, id: string): Promise<Asset> {
  const [asset] = await selectAssets(db).where(visibleAsset(actor, id));
  if (asset === undefined) throw new AppError('not_found');
  return asset;
}

/** SQL condition for one asset, if this person may see it. */
export function visibleAsset(actor: Actor, id: string): SQL | undefined {
  return and(eq(assets.id, id), visibleTo(actor, assets.buildingId));
}
