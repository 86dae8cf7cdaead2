import { uuidv7 } from '#shared/ids.ts';
import { EVERYWHERE_OK, type ExpectationsOf, operationId } from './row.ts';

export const assets: ExpectationsOf<'assets'> = {
  'assets.list': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'assets.counts': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'assets.some': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ assetId }) => ({ ids: [assetId] }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'assets.get': { kind: 'query', needs: 'view_assets', input: ({ assetId }) => ({ id: assetId }) },
  'assets.history': { kind: 'query', needs: 'view_assets', input: ({ assetId }) => ({ id: assetId }) },
  'assets.create': {
    kind: 'mutation',
    needs: 'create_assets',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      buildingId,
      name: 'From the sweep',
      description: 'From the sweep',
    }),
  },
  'assets.duplicate': {
    kind: 'mutation',
    needs: 'create_assets',
    input: ({ assetId }) => ({ operationId: operationId(), id: uuidv7(), sourceId: assetId }),
  },
  'assets.update': {
    kind: 'mutation',
    needs: 'edit_assets',
    input: ({ assetId }) => ({
      operationId: operationId(),
      id: assetId,
      changes: { quantity: { from: 1, to: 1 } },
    }),
  },
  'assets.retire': {
    kind: 'mutation',
    needs: 'edit_assets',
    input: ({ assetId }) => ({ operationId: operationId(), id: assetId }),
  },
  'assets.restore': {
    kind: 'mutation',
    needs: 'edit_assets',
    input: ({ assetId }) => ({ operationId: operationId(), id: assetId }),
  },
};
