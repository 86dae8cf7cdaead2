import type { ProviderAccount } from '#shared/features/users/sign-in.ts';
import type { Person, RoleEntry, SessionInfo } from '#shared/features/users/users.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineLiveQuery } from '../../live/types.ts';
import { foldPeople } from './fold-people.ts';

/** All people, newest first. */
export const people = defineLiveQuery<undefined, Person[], 'person' | 'building'>({
  name: 'users.list',
  entities: ['person', 'building'],
  fetch: (_input, { signal }) => api.users.list.query(undefined, { signal }),
  apply: foldPeople,
  // People do not belong to a building, so losing access to a building removes no person.
  lose: (list) => list,
});

/** All roles that one person was given, newest first. */
export const roleHistory = defineLiveQuery<{ userId: string }, RoleEntry[], 'person'>({
  name: 'users.roles',
  entities: ['person'],
  fetch: (input, { signal }) => api.users.roles.query(input, { signal }),
  apply: (entries, event, { input }) =>
    event.entityId === input.userId && event.changes?.['role'] !== undefined ? 'refetch' : entries,
  lose: (entries) => entries,
});

/** A person's accounts at the organisation's providers; with `own`, the accounts of the signed-in person. */
export const providerAccounts = defineLiveQuery<{ userId: string; own?: true }, ProviderAccount[], 'person'>({
  name: 'users.providerAccounts',
  entities: ['person'],
  fetch: ({ userId, own }, { signal }) =>
    own === true
      ? api.users.myProviderAccounts.query(undefined, { signal })
      : api.users.providerAccounts.query({ userId }, { signal }),
  // Any event of the person, because a sign-in may also link an account.
  apply: (accounts, event, { input }) => (event.entityId === input.userId ? 'refetch' : accounts),
  lose: (accounts) => accounts,
});

/** Sessions of a person, most recently seen first; null means the signed-in person. */
export const sessionList = defineLiveQuery<{ userId: string | null }, SessionInfo[], 'session'>({
  name: 'users.sessions',
  entities: ['session'],
  fetch: ({ userId }, { signal }) =>
    userId === null
      ? api.users.mySessions.query(undefined, { signal })
      : api.users.sessions.query({ userId }, { signal }),
  apply: () => 'refetch',
  lose: (sessions) => sessions,
});
