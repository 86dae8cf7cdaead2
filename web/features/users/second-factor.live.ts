import type { MyPasskeys } from '#shared/features/users/passkeys.ts';
import type { MySecondFactor, PersonSecondFactor } from '#shared/features/users/second-factor.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** State of the person's own authenticator app. Depends on session events, because a sign-in may use up a recovery code. */
export const mySecondFactor = defineLiveQuery<{ userId: string }, MySecondFactor, 'person' | 'session'>({
  name: 'users.mySecondFactor',
  entities: ['person', 'session'],
  fetch: (_input, { signal }) => api.users.mySecondFactor.query(undefined, { signal }),
  apply: (state, event, { input }) => (event.entityId === input.userId ? 'refetch' : state),
  lose: (state) => state,
});

/** The person's own passkeys. Depends on session events, because a sign-in may use a passkey. */
export const myPasskeys = defineLiveQuery<{ userId: string }, MyPasskeys, 'person' | 'session'>({
  name: 'users.myPasskeys',
  entities: ['person', 'session'],
  fetch: (_input, { signal }) => api.users.myPasskeys.query(undefined, { signal }),
  apply: (state, event, { input }) => (event.entityId === input.userId ? 'refetch' : state),
  lose: (state) => state,
});

/** A person's second factors. */
export const secondFactor = defineLiveQuery<{ userId: string }, PersonSecondFactor, 'person'>({
  name: 'users.secondFactor',
  entities: ['person'],
  fetch: (input, { signal }) => api.users.secondFactor.query(input, { signal }),
  apply: (state, event, { input }) => (event.entityId === input.userId ? 'refetch' : state),
  lose: (state) => state,
});
