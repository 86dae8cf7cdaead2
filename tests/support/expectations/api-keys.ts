import { randomBytes } from 'node:crypto';
import { uuidv7 } from '#shared/ids.ts';
import { type ExpectationsOf, nothing, operationId } from './row.ts';

export const apiKeys: ExpectationsOf<'apiKeys'> = {
  'apiKeys.list': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'apiKeys.uses': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'apiKeys.create': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      hash: randomBytes(32).toString('hex'),
      name: 'Sweep',
      permissions: ['view_assets'],
      allBuildings: false,
      buildingIds: [buildingId],
      days: 30,
    }),
    adminOutcome: { own: 'ok', other: 'ok' },
  },
  'apiKeys.revoke': {
    kind: 'mutation',
    needs: 'manage_users',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },
};
