import { type ExpectationsOf, nothing } from './row.ts';

export const backups: ExpectationsOf<'backups'> = {
  'backups.status': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
};
