import { randomBytes } from 'node:crypto';
import { uuidv7 } from '#shared/ids.ts';
import { type ExpectationsOf, nothing, operationId } from './row.ts';

const command = () => ({ operationId: operationId(), id: uuidv7() });

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
    input: ({ buildingId }) => ({
      ...command(),
      name: 'Sweep',
      url: 'https://hooks.example.com/lintel',
      secret: `whsec_${randomBytes(32).toString('base64')}`,
      permissions: ['view_assets'],
      allBuildings: false,
      buildingIds: [buildingId],
    }),
    adminOutcome: { own: 'ok', other: 'ok' },
  },
  'webhooks.switchOn': { kind: 'mutation', needs: 'manage_users', input: command, outcome: 'not_found' },
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
