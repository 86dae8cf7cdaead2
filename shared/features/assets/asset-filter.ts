import { compareCodePoints, sortKey } from '../../text/name-keys.ts';
import { isFoundIn, isPrefixSearch, wantedText } from '../../text/search-text.ts';
import { effectiveType } from './asset-types.ts';
import type { Asset, AssetFilter, AssetOrder } from './assets.ts';

// The filter and order of the asset list, for a browser that applies events to a cached list. The server expresses the
// same in SQL, and a test compares the two. This file does not load the validation library.

/** The default name of a copy, cut to the maximum length of a name. */
export function nameOfCopy(name: string, max: number): string {
  return `Copy of ${name}`.slice(0, max).trim();
}

type Filtered = Pick<
  Asset,
  'buildingId' | 'floorId' | 'type' | 'name' | 'description' | 'location' | 'retiredAt'
>;

/** Whether an asset belongs to a list with this filter. */
export function matchesAssetFilter(filter: AssetFilter, asset: Filtered): boolean {
  const status = filter.status ?? 'active';
  if (status !== 'all' && (status === 'retired') !== (asset.retiredAt !== null)) return false;
  if (filter.buildingId !== undefined && filter.buildingId.toLowerCase() !== asset.buildingId) return false;
  if (filter.floorId !== undefined && filter.floorId.toLowerCase() !== asset.floorId) return false;
  if (filter.type !== undefined && filter.type !== effectiveType(asset)) return false;
  const wanted = wantedText(filter.search);
  if (wanted === '') return true;
  const searched = isPrefixSearch(wanted) ? [asset.name] : [asset.name, asset.description, asset.location];
  return searched.some((text) => isFoundIn(text, wanted));
}

type Ordered = Pick<Asset, 'id' | 'name' | 'type' | 'buildingId' | 'buildingName' | 'lastVisitDate'>;

/** The sort key of an asset that was never visited; it is before every date. */
export const NEVER_VISITED = '0001-01-01';

/** The sort keys of an asset, most significant first; the id breaks ties. */
export function sortKeys(order: Pick<AssetOrder, 'sort'>, asset: Ordered): string[] {
  const name = sortKey(asset.name);
  switch (order.sort) {
    case 'name':
      return [name];
    case 'type':
      return [effectiveType(asset), name];
    case 'building':
      return [sortKey(asset.buildingName), asset.buildingId, name];
    case 'lastVisit':
      return [asset.lastVisitDate ?? NEVER_VISITED, name];
  }
}

/** Compares two assets by the order of a list. */
export function compareAssets(order: AssetOrder, a: Ordered, b: Ordered): number {
  return compareToKeys(order, a, { keys: sortKeys(order, b), id: b.id });
}

/** Compares an asset with a position in the list, such as a cursor. */
export function compareToKeys(
  order: AssetOrder,
  asset: Ordered,
  place: { keys: readonly string[]; id: string },
): number {
  const mine = [...sortKeys(order, asset), asset.id];
  const theirs = [...place.keys, place.id];
  const sign = order.direction === 'asc' ? 1 : -1;
  for (const [index, key] of mine.entries()) {
    const compared = compareCodePoints(key, theirs[index] ?? '');
    if (compared !== 0) return sign * compared;
  }
  return 0;
}
