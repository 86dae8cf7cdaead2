import type { AccountNotice } from '#shared/features/users/users.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { defineLiveQuery } from '../../../live/types.ts';

/** Undismissed notices about the person's own account, newest first. */
export const myNotices = defineLiveQuery<undefined, AccountNotice[], 'notice'>({
  name: 'users.myNotices',
  entities: ['notice'],
  fetch: (_input, { signal }) => api.users.myNotices.query(undefined, { signal }),
  apply: () => 'refetch',
  lose: (notices) => notices,
});
