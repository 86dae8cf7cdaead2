import { compareAssets, compareToKeys } from '#shared/features/assets/asset-filter.ts';
import type { Asset, AssetCounts, AssetFilter, AssetPage } from '#shared/features/assets/assets.ts';
import { ASSET_SELECTION_MAX } from '#shared/features/assets/assets.vocabulary.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineHistory } from '../../live/history.ts';
import { defineLiveList, type LiveListDefinition } from '../../live/list.ts';
import { defineLiveQuery } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';
import { type AssetListInput, foldAssetCounts, foldAssetList } from './fold-assets.ts';

const assets: LiveListDefinition<AssetListInput, AssetPage, 'asset' | 'building'> = {
  name: 'assets.list',
  entities: ['asset', 'building'],
  pageSize: 50,
  maxPageSize: 200,
  fetchPage: (input, page, options) => api.assets.list.query({ ...input, ...page }, options),
  compare: (row, other, { order }) =>
    'keys' in other ? compareToKeys(order, row, other) : compareAssets(order, row, other),
  apply: foldAssetList,
  buildingOf: (asset) => asset.buildingId,
};

/** Assets that match a filter, in one of the table's orders. */
export const assetList = defineLiveList(assets);

/** The same list, with a page size equal to the maximum of one print of labels. */
export const labelledAssets = defineLiveList({
  ...assets,
  name: 'assets.labels',
  pageSize: ASSET_SELECTION_MAX,
});

/** The number of assets, in total and matching the filter. */
export const assetCounts = defineLiveQuery<AssetFilter, AssetCounts, 'asset' | 'building'>({
  name: 'assets.counts',
  entities: ['asset', 'building'],
  fetch: (filter, { signal }) => api.assets.counts.query({ filter }, { signal }),
  apply: (counts, event, { input }) => foldAssetCounts(counts, event, input),
});

/** One asset; null once it no longer exists or the person has lost access to it. */
export const oneAsset = defineLiveQuery<{ id: string }, Asset | null, 'asset' | 'building'>({
  name: 'assets.get',
  entities: ['asset', 'building'],
  fetch: (input, { signal }) => api.assets.get.query(input, { signal }),
  apply(asset, event, { input }) {
    if (event.entity === 'building') {
      return asset === null ? null : (renameBuilding([asset], event)[0] ?? null);
    }
    if (event.entityId !== input.id || (asset !== null && asset.version >= event.version)) return asset;
    return event.op === 'del' ? null : event.row;
  },
  lose: (asset, lost) => (asset !== null && lost(asset.buildingId) ? null : asset),
});

/** The selected assets, sorted by name. */
export const someAssets = defineLiveQuery<{ ids: readonly string[] }, Asset[], 'asset' | 'building'>({
  name: 'assets.some',
  entities: ['asset', 'building'],
  fetch: ({ ids }, { signal }) => api.assets.some.query({ ids: [...ids] }, { signal }),
  apply(rows, event) {
    if (event.entity === 'building') return renameBuilding(rows, event);
    const at = rows.findIndex(({ id }) => id === event.entityId);
    const held = rows[at];
    if (held === undefined || held.version >= event.version) return rows;
    return event.op === 'del' ? rows.toSpliced(at, 1) : rows.with(at, event.row);
  },
  lose: (rows, lost) => rows.filter((row) => !lost(row.buildingId)),
});

/** The history of one asset. */
export const assetHistory = defineHistory('assets.history', 'asset', (input, options) =>
  api.assets.history.query(input, options),
);
