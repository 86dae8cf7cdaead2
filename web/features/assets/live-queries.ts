import { assetCounts, assetHistory, assetList, labelledAssets, oneAsset, someAssets } from './assets.live.ts';

export const liveQueries = [
  assetCounts,
  assetHistory,
  assetList,
  labelledAssets,
  oneAsset,
  someAssets,
] as const;
