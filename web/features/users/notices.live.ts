import type { AccountNotice } from '#shared/features/users.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** What one is told of one's own account and has not dismissed, newest first. */
export const myNotices = defineLiveQuery<undefined, AccountNotice[], 'notice'>({
  name: 'users.myNotices',
  entities: ['notice'],
  fetch: (_input, { signal }) => api.users.myNotices.query(undefined, { signal }),
  apply: () => 'refetch',
  lose: (notices) => notices,
});
