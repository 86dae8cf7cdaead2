import { compareAssets, compareToKeys, matchesAssetFilter } from '#shared/features/asset-filter.ts';
import type { Asset, AssetCounts, AssetFilter, AssetOrder, AssetPage } from '#shared/features/assets.ts';
import type { LiveChange } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';

export type AssetListInput = { filter: AssetFilter; order: AssetOrder };
type Change = LiveChange<'asset' | 'building'>;

/**
 * What one change means for a loaded part of a list: the row enters, leaves, moves, or is replaced where it stands.
 * Beyond the loaded part nothing is decided: a row that moves there comes back with its page.
 */
export function foldAssetList(page: AssetPage, event: Change, input: AssetListInput): AssetPage | 'refetch' {
  if (event.entity === 'building') {
    const rows = renameBuilding(page.rows, event);
    if (rows === page.rows) return page;
    return input.order.sort === 'building' ? 'refetch' : { ...page, rows: [...rows] };
  }
  const at = page.rows.findIndex(({ id }) => id === event.entityId);
  const held = page.rows[at];
  if (held !== undefined && held.version >= event.version) return page;
  const others = held === undefined ? page.rows : page.rows.toSpliced(at, 1);
  if (event.op === 'del') return held === undefined ? page : { ...page, rows: others };

  const { row } = event;
  const { filter, order } = input;
  const beyondLoaded = page.nextCursor !== null && compareToKeys(order, row, page.nextCursor) > 0;
  if (!matchesAssetFilter(filter, row) || beyondLoaded) {
    return held === undefined ? page : { ...page, rows: others };
  }
  return { ...page, rows: others.toSpliced(placeOf(others, row, order), 0, row) };
}

/** Where the row would stand. */
function placeOf(rows: readonly Asset[], row: Asset, order: AssetOrder): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = rows[middle];
    if (other !== undefined && compareAssets(order, other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Joins a further page: of a row that both hold, the copy with the higher version stays. */
export function joinAssetPages(page: AssetPage, further: AssetPage): AssetPage {
  const rows = new Map(page.rows.map((row) => [row.id, row]));
  for (const row of further.rows) {
    const held = rows.get(row.id);
    if (held === undefined || held.version < row.version) rows.set(row.id, row);
  }
  return { rows: [...rows.values()], nextCursor: further.nextCursor };
}

/** Counts know no rows: what the asset was before is read back from the event's own changes. */
export function foldAssetCounts(
  counts: AssetCounts,
  event: Change,
  filter: AssetFilter,
): AssetCounts | 'refetch' {
  if (event.entity === 'building') {
    return event.op === 'del' || event.changes === null || 'archivedAt' in event.changes ? 'refetch' : counts;
  }
  // A row that is gone does not say what it was.
  if (event.op === 'del') return 'refetch';
  const { row, changes } = event;
  // An overlay's version ends in .5: one below the first is a creation too.
  const before = event.version <= 1 ? null : rowBefore(row, changes);
  const { buildingId, status } = filter;
  const scope: AssetFilter = {
    ...(buildingId === undefined ? {} : { buildingId }),
    ...(status === undefined ? {} : { status }),
  };
  const total = weigh(row, scope) - weigh(before, scope);
  const matching = weigh(row, filter) - weigh(before, filter);
  if (total === 0 && matching === 0) return counts;
  return { total: counts.total + total, matching: counts.matching + matching };
}

function weigh(row: Asset | null, filter: AssetFilter): 0 | 1 {
  return row !== null && matchesAssetFilter(filter, row) ? 1 : 0;
}

function rowBefore(row: Asset, changes: Record<string, [from: unknown, to: unknown]> | null): Asset {
  if (changes === null) return row;
  const before = Object.fromEntries(Object.entries(changes).map(([field, [from]]) => [field, from]));
  // The compiler cannot see that the server writes a field's own earlier value as `from`.
  return { ...row, ...(before as Partial<Asset>) };
}
