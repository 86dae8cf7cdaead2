import type { MySecondFactor, SecondFactorState } from '#shared/features/users/second-factor.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** State of one's own second factor. A sign-in may use up a recovery code. */
export const mySecondFactor = defineLiveQuery<{ userId: string }, MySecondFactor, 'person' | 'session'>({
  name: 'users.mySecondFactor',
  entities: ['person', 'session'],
  fetch: (_input, { signal }) => api.users.mySecondFactor.query(undefined, { signal }),
  apply: (state, event, { input }) => (event.entityId === input.userId ? 'refetch' : state),
  lose: (state) => state,
});

/** State of a person's second factor. */
export const secondFactor = defineLiveQuery<{ userId: string }, SecondFactorState, 'person'>({
  name: 'users.secondFactor',
  entities: ['person'],
  fetch: (input, { signal }) => api.users.secondFactor.query(input, { signal }),
  apply: (state, event, { input }) => (event.entityId === input.userId ? 'refetch' : state),
  lose: (state) => state,
});
