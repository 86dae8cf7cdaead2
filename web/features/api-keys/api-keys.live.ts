import type { ApiKey } from '#shared/features/api-keys/api-keys.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** The API keys that are not revoked, sorted by name. */
export const apiKeyList = defineLiveQuery<undefined, ApiKey[], 'apiKey'>({
  name: 'apiKeys.list',
  entities: ['apiKey'],
  fetch: (_input, { signal }) => api.apiKeys.list.query(undefined, { signal }),
  apply: (list, event) => changeRows(list, event, (row) => row.revokedAt === null, compareByName),
  // Keys belong to the organisation, so losing access to a building removes no key.
  lose: (list) => list,
});
