import { and, eq, inArray, isNotNull, isNull, like, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assetLocations, assets } from '#db/schema/assets.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { NEVER_VISITED } from '#shared/features/assets/asset-filter.ts';
import type { AssetCursor, AssetFilter, AssetOrder } from '#shared/features/assets/assets.ts';
import type { AssetSort } from '#shared/features/assets/assets.vocabulary.ts';
import { isPrefixSearch, wantedText } from '#shared/text/search-text.ts';
import { patternOf } from '../../kernel/search-pattern.ts';

// Same semantics as shared/features/assets/asset-filter.ts, in SQL. Each expression is written exactly as its index writes it.

const effectiveType = sql`${assets.effectiveType} collate "C"`;
const name = sql`${assets.sortKey} collate "C"`;
const buildingName = sql`${buildings.sortKey} collate "C"`;
const beginning = sql`${assets.searchKey} collate "C"`;
const lastVisit = sql`coalesce(${assets.lastVisitDate}, '0001-01-01'::date)`;

/** The sort keys of each order, most significant first, before the id breaks ties, with their SQL types. */
const KEYS: Readonly<Record<AssetSort, readonly { of: SQL; type: 'text' | 'uuid' | 'date' }[]>> = {
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

/** SQL condition that the search text is found. LIKE, because the planner can estimate from statistics how rare it is. */
export function whereText({ search }: AssetFilter): SQL | undefined {
  const wanted = wantedText(search);
  if (wanted === '') return undefined;
  return like(isPrefixSearch(wanted) ? beginning : assets.searchText, patternOf(wanted));
}

/**
 * SQL for an order. Ties are broken by name and id, all in one direction, so that an index read forwards or backwards
 * gives the order.
 */
export function orderOf({ sort, direction }: AssetOrder): SQL[] {
  const way = sql.raw(direction);
  return [...KEYS[sort].map(({ of }) => sql`${of} ${way}`), sql`${assets.id} ${way}`];
}

/** The same order, but written so that no index matches and the planner sorts the rows it has filtered. */
export function sortedOrderOf(order: AssetOrder): SQL[] {
  const [first, ...others] = orderOf(order);
  const [key] = KEYS[order.sort];
  if (first === undefined || key === undefined) return [];
  return [
    sql`${key.of} ${key.type === 'date' ? sql`+ 0` : sql`|| ''`} ${sql.raw(order.direction)}`,
    ...others,
  ];
}

/** SQL for a row's sort keys as text, for the cursor of the next page. */
export function keysOf({ sort }: AssetOrder): SQL<string[]> {
  const keys = KEYS[sort].map(({ of }) => sql`(${of})::text`);
  return sql<string[]>`array[${sql.join(keys, sql`, `)}]`;
}

/**
 * SQL condition for rows after a cursor.
 * @throws AppError `invalid` if the cursor belongs to another order
 */
export function whereAfter({ sort, direction }: AssetOrder, cursor: AssetCursor): SQL {
  const keys = KEYS[sort];
  const valid =
    cursor.keys.length === keys.length &&
    keys.every(({ type }, index) => isValidKey(type, cursor.keys[index] ?? ''));
  if (!valid) throw new AppError('invalid', { data: { fields: {} } });
  const compare = sql.raw(direction === 'asc' ? '>' : '<');
  const mine = sql.join([...keys.map(({ of }) => of), sql`${assets.id}`], sql`, `);
  const theirs = sql.join(
    [...keys.map(({ type }, index) => sql`${cursor.keys[index]}::${sql.raw(type)}`), sql`${cursor.id}::uuid`],
    sql`, `,
  );
  const after = sql`(${mine}) ${compare} (${theirs})`;
  // The keys span two tables, so no index holds them all, but the index of building names finds the start.
  return sort === 'building'
    ? sql`(${buildingName} ${compare}= ${cursor.keys[0]}::text and ${after})`
    : after;
}

function isValidKey(type: 'text' | 'uuid' | 'date', key: string): boolean {
  switch (type) {
    case 'text':
      return true;
    case 'uuid':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(key) && key >= NEVER_VISITED && isDay(key);
  }
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
