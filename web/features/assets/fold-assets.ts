import { matchesAssetFilter } from '#shared/features/assets/asset-filter.ts';
import type {
  Asset,
  AssetCounts,
  AssetFilter,
  AssetOrder,
  AssetPage,
} from '#shared/features/assets/assets.ts';
import type { ListContext } from '../../live/list.ts';
import type { LiveChange } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';

export type AssetListInput = { filter: AssetFilter; order: AssetOrder };
type Change = LiveChange<'asset' | 'building'>;

/** Applies a change to the loaded part of an asset list. */
export function foldAssetList(
  page: AssetPage,
  event: Change,
  { input, change }: ListContext<AssetListInput, AssetPage>,
): AssetPage | 'refetch' {
  if (event.entity !== 'building') return change(page, event, (row) => matchesAssetFilter(input.filter, row));
  const rows = renameBuilding(page.rows, event);
  if (rows === page.rows) return page;
  return input.order.sort === 'building' ? 'refetch' : { ...page, rows };
}

/**
 * Applies a change to the counts. The counts contain no rows, so the asset's state before the change is restored from the event.
 */
export function foldAssetCounts(
  counts: AssetCounts,
  event: Change,
  filter: AssetFilter,
): AssetCounts | 'refetch' {
  if (event.entity === 'building') {
    return event.op === 'del' || event.changes === null || 'archivedAt' in event.changes ? 'refetch' : counts;
  }
  // A deletion does not carry the row.
  if (event.op === 'del') return 'refetch';
  const { row, changes } = event;
  // Versions of overlays end in .5, so an overlay's creation has a version below 1.
  const before = event.version <= 1 ? null : rowBefore(row, changes);
  const { buildingId, status } = filter;
  const scope: AssetFilter = {
    ...(buildingId === undefined ? {} : { buildingId }),
    ...(status === undefined ? {} : { status }),
  };
  const total = weigh(row, scope) - weigh(before, scope);
  const matching = weigh(row, filter) - weigh(before, filter);
  if (total === 0 && matching === 0) return counts;
  if (!counts.matchingIsLeast)
    return { ...counts, total: counts.total + total, matching: counts.matching + matching };
  // The count had stopped at its maximum, so only the server knows how many are left.
  return matching < 0 ? 'refetch' : { ...counts, total: counts.total + total };
}

function weigh(row: Asset | null, filter: AssetFilter): 0 | 1 {
  return row !== null && matchesAssetFilter(filter, row) ? 1 : 0;
}

function rowBefore(row: Asset, changes: Record<string, [from: unknown, to: unknown]> | null): Asset {
  if (changes === null) return row;
  const before = Object.fromEntries(Object.entries(changes).map(([field, [from]]) => [field, from]));
  // The cast: the server writes the earlier value of the same field as `from`, which the compiler cannot know.
  return { ...row, ...(before as Partial<Asset>) };
}
