import { randomBytes } from 'node:crypto';
import { API_KEY_BUILDINGS_MAX } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type ExpectationsOf, nothing, operation } from './row.ts';

const keyFor = (buildingIds: readonly string[]) => ({
  ...operation(),
  id: uuidv7(),
  hash: randomBytes(32).toString('hex'),
  name: 'Sweep',
  permissions: ['view_assets'],
  allBuildings: false,
  buildingIds,
  days: 30,
});

export const apiKeys: ExpectationsOf<'apiKeys'> = {
  'apiKeys.list': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'apiKeys.uses': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'apiKeys.create': {
    kind: 'mutation',
    needs: 'manage_users',
    declares: { sensitive: true },
    input: ({ buildingId }) => keyFor([buildingId]),
    adminOutcome: { own: 'ok', other: 'ok' },
    largest: ({ buildings }) => keyFor(buildings.slice(0, API_KEY_BUILDINGS_MAX)),
  },
  'apiKeys.revoke': {
    kind: 'mutation',
    needs: 'manage_users',
    input: () => ({ ...operation(), id: uuidv7() }),
    outcome: 'not_found',
  },
};
