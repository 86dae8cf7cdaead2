import { z } from 'zod';
import {
  assetFilterSchema,
  assetIdInput,
  createAssetInput,
  duplicateAssetInput,
  listAssetsInput,
  retireAssetInput,
  someAssetsInput,
  updateAssetInput,
} from '#shared/features/assets/assets.ts';
import { historyInput } from '#shared/history.ts';
import { readEntityHistory } from '../../kernel/entity-history.ts';
import { requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { createAsset, duplicateAsset, restoreAsset, retireAsset, updateAsset } from './assets.commands.ts';
import { countAssets, getAsset, listAssets, someAssets } from './assets.queries.ts';

const view = requires('view_assets');
const create = requires('create_assets', { provenByCommand: true });
const edit = requires('edit_assets', { provenByCommand: true });
const countsInput = z.strictObject({ filter: assetFilterSchema });

export const assetsRouter = router({
  list: view
    .input(listAssetsInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listAssets(tx, ctx.actor, input))),
  counts: view
    .input(countsInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => countAssets(tx, ctx.actor, input.filter))),
  some: view
    .input(someAssetsInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => someAssets(tx, ctx.actor, input.ids))),
  get: view
    .input(assetIdInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => getAsset(tx, ctx.actor, input.id))),
  history: view
    .input(historyInput)
    .query(({ ctx, input }) =>
      readEntityHistory(ctx, 'asset', input, (tx) => getAsset(tx, ctx.actor, input.id)),
    ),
  create: create.input(createAssetInput).mutation(({ ctx, input }) => createAsset(ctx, input)),
  duplicate: create.input(duplicateAssetInput).mutation(({ ctx, input }) => duplicateAsset(ctx, input)),
  update: edit.input(updateAssetInput).mutation(({ ctx, input }) => updateAsset(ctx, input)),
  retire: edit.input(retireAssetInput).mutation(({ ctx, input }) => retireAsset(ctx, input)),
  restore: edit.input(retireAssetInput).mutation(({ ctx, input }) => restoreAsset(ctx, input)),
});
