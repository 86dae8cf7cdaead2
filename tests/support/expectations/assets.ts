import { ASSET_PAGE_MAX } from '#shared/features/assets/assets.ts';
import { ASSET_SELECTION_MAX } from '#shared/features/assets/assets.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { sameRow, textOf } from './largest.ts';
import { EVERYWHERE_OK, type ExpectationsOf, operation } from './row.ts';

export const assets: ExpectationsOf<'assets'> = {
  'assets.list': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: () => ({ filter: { search: 'floor' }, limit: ASSET_PAGE_MAX }),
  },
  'assets.counts': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: () => ({ filter: { search: 'floor' } }),
  },
  'assets.some': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ assetId }) => ({ ids: [assetId] }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: ({ outlets }) => ({ ids: outlets.slice(0, ASSET_SELECTION_MAX) }),
  },
  'assets.get': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ assetId }) => ({ id: assetId }),
    largest: ({ assetId }) => ({ id: assetId }),
  },
  'assets.history': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ assetId }) => ({ id: assetId }),
    largest: ({ assetId }) => ({ id: assetId }),
  },
  'assets.create': {
    kind: 'mutation',
    needs: 'create_assets',
    declares: { provenByCommand: true },
    input: ({ buildingId }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId,
      name: 'From the sweep',
      description: 'From the sweep',
    }),
    largest: ({ siteId }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId: siteId,
      name: 'Fan on the roof',
      description: textOf(2_000),
    }),
  },
  'assets.duplicate': {
    kind: 'mutation',
    needs: 'create_assets',
    declares: { provenByCommand: true },
    input: ({ assetId }) => ({ ...operation(), id: uuidv7(), sourceId: assetId }),
    largest: ({ assetId }) => ({ ...operation(), id: uuidv7(), sourceId: assetId }),
  },
  'assets.update': {
    kind: 'mutation',
    needs: 'edit_assets',
    declares: { provenByCommand: true },
    input: ({ assetId }) => ({
      ...operation(),
      id: assetId,
      changes: { quantity: { from: 1, to: 1 } },
    }),
  },
  'assets.retire': {
    kind: 'mutation',
    needs: 'edit_assets',
    declares: { provenByCommand: true },
    input: ({ assetId }) => ({ ...operation(), id: assetId }),
    largest: sameRow(({ assetId }) => assetId),
  },
  'assets.restore': {
    kind: 'mutation',
    needs: 'edit_assets',
    declares: { provenByCommand: true },
    input: ({ assetId }) => ({ ...operation(), id: assetId }),
    largest: sameRow(({ assetId }) => assetId),
  },
};
