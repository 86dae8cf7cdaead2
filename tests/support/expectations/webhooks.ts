import { randomBytes } from 'node:crypto';
import { API_KEY_BUILDINGS_MAX } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type ExpectationsOf, nothing, operation } from './row.ts';

const command = () => ({ ...operation(), id: uuidv7() });

const webhookFor = (buildingIds: readonly string[]) => ({
  ...command(),
  name: 'Sweep',
  url: 'https://hooks.example.com/lintel',
  secret: `whsec_${randomBytes(32).toString('base64')}`,
  permissions: ['view_assets'],
  allBuildings: false,
  buildingIds,
});

export const webhooks: ExpectationsOf<'webhooks'> = {
  'webhooks.list': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'webhooks.states': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'webhooks.deliveries': {
    kind: 'query',
    needs: 'manage_users',
    input: () => ({ id: uuidv7() }),
    outcome: 'ok',
  },
  'webhooks.create': {
    kind: 'mutation',
    needs: 'manage_users',
    declares: { sensitive: true },
    input: ({ buildingId }) => webhookFor([buildingId]),
    adminOutcome: { own: 'ok', other: 'ok' },
    largest: ({ buildings }) => webhookFor(buildings.slice(0, API_KEY_BUILDINGS_MAX)),
  },
  'webhooks.switchOn': {
    kind: 'mutation',
    needs: 'manage_users',
    declares: { sensitive: true },
    input: command,
    outcome: 'not_found',
  },
  'webhooks.switchOff': { kind: 'mutation', needs: 'manage_users', input: command, outcome: 'not_found' },
  'webhooks.remove': { kind: 'mutation', needs: 'manage_users', input: command, outcome: 'not_found' },
  'webhooks.test': {
    kind: 'mutation',
    needs: 'manage_users',
    input: () => ({ id: uuidv7() }),
    outcome: 'not_found',
  },
  'webhooks.resend': { kind: 'mutation', needs: 'manage_users', input: command, outcome: 'not_found' },
};
