import { ACTIVITY_PAGE_MAX } from '#shared/features/activity/activity.ts';
import { EVERYWHERE_OK, type ExpectationsOf, nothing } from './row.ts';

export const activity: ExpectationsOf<'activity'> = {
  'activity.actors': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'activity.list': {
    kind: 'query',
    needs: 'manage_users',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    adminOutcome: EVERYWHERE_OK,
    largest: () => ({ filter: {}, limit: ACTIVITY_PAGE_MAX }),
  },
};
