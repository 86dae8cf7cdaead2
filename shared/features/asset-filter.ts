import type { Asset, AssetFilter, AssetOrder } from './assets.ts';
import { type AssetType, DEFAULT_OUTLET_KIND, type OutletKind } from './assets.vocabulary.ts';
import { foldCase } from './issue-filter.ts';

// What a list's filter and order mean, for a browser that applies events to a list in its cache. The server says the
// same in SQL, and a test compares the two. No validation library here.

/** The names by which assets from before there were types are known. */
const NAMED_TYPES: readonly (readonly [part: string, type: AssetType])[] = [
  ['emergency light', 'emergency_light'],
  ['water outlet', 'water_outlet'],
];

/** What an asset is: its type, or for one that is simply an asset what its name says. */
export function effectiveType({ type, name }: Pick<Asset, 'type' | 'name'>): AssetType {
  if (type !== 'asset') return type;
  const folded = foldCase(name);
  return NAMED_TYPES.find(([part]) => folded.includes(part))?.[1] ?? 'asset';
}

/** The kind that a water outlet is checked as; null for everything else. */
export function outletKindOf(asset: Pick<Asset, 'type' | 'name' | 'outletKind'>): OutletKind | null {
  return effectiveType(asset) === 'water_outlet' ? (asset.outletKind ?? DEFAULT_OUTLET_KIND) : null;
}

/** An outlet that nobody has classified and whose name says "hot": somebody should look. */
export function mayBeHot(asset: Pick<Asset, 'type' | 'name' | 'outletKind'>): boolean {
  if (asset.outletKind !== null || effectiveType(asset) !== 'water_outlet') return false;
  return /\bhot\b/i.test(asset.name);
}

/** How a copy is called unless somebody says otherwise; never longer than a name may be. */
export function nameOfCopy(name: string, max: number): string {
  return `Copy of ${name}`.slice(0, max).trim();
}

type Filtered = Pick<
  Asset,
  'buildingId' | 'floorId' | 'type' | 'name' | 'description' | 'location' | 'retiredAt'
>;

/** Does an asset belong to a list with this filter? */
export function matchesAssetFilter(filter: AssetFilter, asset: Filtered): boolean {
  const status = filter.status ?? 'active';
  if (status !== 'all' && (status === 'retired') !== (asset.retiredAt !== null)) return false;
  if (filter.buildingId !== undefined && filter.buildingId.toLowerCase() !== asset.buildingId) return false;
  if (filter.floorId !== undefined && filter.floorId.toLowerCase() !== asset.floorId) return false;
  if (filter.type !== undefined && filter.type !== effectiveType(asset)) return false;
  const wanted = foldCase((filter.search ?? '').trim());
  if (wanted === '') return true;
  return [asset.name, asset.description, asset.location].some((text) => foldCase(text).includes(wanted));
}

type Ordered = Pick<Asset, 'id' | 'name' | 'type' | 'buildingId' | 'buildingName' | 'lastVisitDate'>;

/** Stands for "Never", before every day. */
export const NEVER = '0001-01-01';

/** What an asset is sorted by, most significant first; the id comes after all. */
export function sortKeys(order: Pick<AssetOrder, 'sort'>, asset: Ordered): string[] {
  const name = foldCase(asset.name);
  switch (order.sort) {
    case 'name':
      return [name];
    case 'type':
      return [effectiveType(asset), name];
    case 'building':
      return [foldCase(asset.buildingName), asset.buildingId, name];
    case 'lastVisit':
      return [asset.lastVisitDate ?? NEVER, name];
  }
}

/** The order of two assets in a list. */
export function compareAssets(order: AssetOrder, a: Ordered, b: Ordered): number {
  return compareToKeys(order, a, { keys: sortKeys(order, b), id: b.id });
}

/** Where an asset stands against a place in the list. */
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

/** As the database compares in its "C" collation: by code point, where JavaScript compares halves of characters. */
function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  // A pair's second half: begin at its first.
  if (at > 0 && isLowHalf(a.charCodeAt(at)) && isLowHalf(b.charCodeAt(at))) at -= 1;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
