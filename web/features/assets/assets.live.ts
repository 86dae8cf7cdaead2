import type { Asset, AssetCounts, AssetFilter, AssetPage } from '#shared/features/assets.ts';
import { ASSET_SELECTION_MAX } from '#shared/features/assets.words.ts';
import { api } from '../../lib/trpc.ts';
import { defineHistory } from '../../live/history.ts';
import { defineLiveQuery, type FetchContext } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';
import { type AssetListInput, foldAssetCounts, foldAssetList, joinAssetPages } from './fold-assets.ts';

/** How many assets a page brings, and the most that the server gives at once. */
const PAGE = 50;
const MOST = 200;

/** Assets that a filter lets through, in one of the table's orders. */
export const assetList = defineLiveQuery<AssetListInput, AssetPage, 'asset' | 'building'>({
  name: 'assets.list',
  entities: ['asset', 'building'],
  fetch: fetchAssets,
  apply: (page, event, { input }) => foldAssetList(page, event, input),
  lose(page, lost) {
    const rows = page.rows.filter((row) => !lost(row.buildingId));
    return rows.length === page.rows.length ? page : { ...page, rows };
  },
  merge: joinAssetPages,
  size: (page) => page.rows.length,
});

/** A list that had grown by several pages is fetched again at its length. */
async function fetchAssets(input: AssetListInput, { signal, limit = PAGE }: FetchContext) {
  const ask = (cursor: AssetPage['nextCursor'], rest: number) =>
    api.assets.list.query(
      { ...input, limit: Math.min(MOST, Math.max(PAGE, rest)), ...(cursor === null ? {} : { cursor }) },
      { signal },
    );
  const first = await ask(null, limit);
  let data = first.data;
  while (data.rows.length < limit && data.nextCursor !== null) {
    data = joinAssetPages(data, (await ask(data.nextCursor, limit - data.rows.length)).data);
  }
  return { ...first, data };
}

/** The page after the loaded ones. */
export function fetchFurtherAssets(input: AssetListInput, page: AssetPage) {
  const limit = page.rows.length >= MOST ? MOST : PAGE;
  return api.assets.list.query({
    ...input,
    limit,
    ...(page.nextCursor === null ? {} : { cursor: page.nextCursor }),
  });
}

/** As many of a list as one print of labels takes. */
export const labelledAssets = defineLiveQuery<AssetListInput, AssetPage, 'asset' | 'building'>({
  name: 'assets.labels',
  entities: ['asset', 'building'],
  fetch: (input, { signal }) => api.assets.list.query({ ...input, limit: ASSET_SELECTION_MAX }, { signal }),
  apply: (page, event, { input }) => foldAssetList(page, event, input),
});

/** How many there are. */
export const assetCounts = defineLiveQuery<AssetFilter, AssetCounts, 'asset' | 'building'>({
  name: 'assets.counts',
  entities: ['asset', 'building'],
  fetch: (filter, { signal }) => api.assets.counts.query({ filter }, { signal }),
  apply: (counts, event, { input }) => foldAssetCounts(counts, event, input),
});

/** One asset; null once it is out of sight. */
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

/** Those of a selection, by name. */
export const someAssets = defineLiveQuery<{ ids: readonly string[] }, Asset[], 'asset' | 'building'>({
  name: 'assets.some',
  entities: ['asset', 'building'],
  fetch: ({ ids }, { signal }) => api.assets.some.query({ ids: [...ids] }, { signal }),
  apply(rows, event) {
    if (event.entity === 'building') {
      const renamed = renameBuilding(rows, event);
      return renamed === rows ? rows : [...renamed];
    }
    const at = rows.findIndex(({ id }) => id === event.entityId);
    const held = rows[at];
    if (held === undefined || held.version >= event.version) return rows;
    return event.op === 'del' ? rows.toSpliced(at, 1) : rows.with(at, event.row);
  },
  lose: (rows, lost) => rows.filter((row) => !lost(row.buildingId)),
});

export const assetHistory = defineHistory('assets.history', 'asset', (input, options) =>
  api.assets.history.query(input, options),
);
