import { and, eq, inArray, isNotNull, isNull, like, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { buildings } from '#db/schema/places.ts';
import type { AssetCursor, AssetFilter, AssetOrder } from '#shared/features/assets/assets.ts';
import type { AssetSort } from '#shared/features/assets/assets.vocabulary.ts';
import { isPrefixSearch, wantedText } from '#shared/text/search-text.ts';
import { type Keyset, type SortKey, whereAfter } from '../../kernel/lists/keyset.ts';
import { patternOf } from '../../kernel/lists/search-pattern.ts';

// Same semantics as shared/features/assets/asset-filter.ts, in SQL. Each expression is written exactly as in its index, so that
// Postgres can use the index.

const effectiveType = sql`${assets.effectiveType} collate "C"`;
const name = sql`${assets.sortKey} collate "C"`;
const buildingName = sql`${buildings.sortKey} collate "C"`;
const beginning = sql`${assets.searchKey} collate "C"`;
const lastVisit = sql`coalesce(${assets.lastVisitDate}, '0001-01-01'::date)`;

/** The sort keys of each order, most significant first, before the id breaks ties, with their SQL types. */
const KEYS: Readonly<Record<AssetSort, readonly SortKey[]>> = {
  name: [{ of: name, type: 'text' }],
  type: [
    { of: effectiveType, type: 'text' },
    { of: name, type: 'text' },
  ],
  building: [
    { of: buildingName, type: 'text' },
    { of: sql`${buildings.id}`, type: 'uuid' },
    { of: name, type: 'text' },
  ],
  lastVisit: [
    { of: lastVisit, type: 'date' },
    { of: name, type: 'text' },
  ],
};

/** SQL condition of a whole filter. */
export function whereFilter(db: Queryable, filter: AssetFilter): SQL | undefined {
  return and(whereWithoutText(db, filter), whereText(filter));
}

/** SQL condition of a filter without its search text. */
function whereWithoutText(db: Queryable, filter: AssetFilter): SQL | undefined {
  return and(
    whereStatus(filter),
    filter.buildingId === undefined ? undefined : eq(assets.buildingId, filter.buildingId),
    filter.floorId === undefined
      ? undefined
      : inArray(
          assets.id,
          db
            .select({ id: assetLocations.assetId })
            .from(assetLocations)
            .where(eq(assetLocations.floorId, filter.floorId)),
        ),
    filter.type === undefined ? undefined : sql`${effectiveType} = ${filter.type}`,
  );
}

function whereStatus({ status = 'active' }: AssetFilter): SQL | undefined {
  switch (status) {
    case 'active':
      return isNull(assets.retiredAt);
    case 'retired':
      return isNotNull(assets.retiredAt);
    case 'all':
      return undefined;
  }
}

/**
 * SQL condition that an asset matches the search text. Uses LIKE, because for LIKE the planner can estimate the number of matches
 * from statistics.
 */
export function whereText({ search }: AssetFilter): SQL | undefined {
  const wanted = wantedText(search);
  if (wanted === '') return undefined;
  return like(isPrefixSearch(wanted) ? beginning : assets.searchText, patternOf(wanted));
}

/** An order of the list. */
export function keysetOf({ sort, direction }: AssetOrder): Keyset {
  return { keys: KEYS[sort], id: assets.id, direction };
}

/**
 * SQL condition for rows after a cursor.
 * @throws AppError `invalid` if the cursor belongs to another order
 */
export function whereAfterAsset(order: AssetOrder, cursor: AssetCursor): SQL {
  const after = whereAfter(keysetOf(order), cursor);
  if (order.sort !== 'building') return after;
  // The keys span two tables, so no index contains them all, but the index of building names finds the start.
  const compare = sql.raw(order.direction === 'asc' ? '>=' : '<=');
  return sql`(${buildingName} ${compare} ${cursor.keys[0]}::text and ${after})`;
}
