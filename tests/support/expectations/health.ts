import { type ExpectationsOf, nothing } from './row.ts';

export const health: ExpectationsOf<'health'> = {
  'health.status': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
};
