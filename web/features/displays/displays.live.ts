import type { Display } from '#shared/features/displays/displays.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** The paired displays, sorted by name. */
export const displayList = defineLiveQuery<undefined, Display[], 'display'>({
  name: 'displays.list',
  entities: ['display'],
  fetch: (_input, { signal }) => api.displays.list.query(undefined, { signal }),
  apply: (list, event) => changeRows(list, event, (row) => row.unpairedAt === null, compareByName),
  // Displays belong to the organisation, so losing access to a building removes no display.
  lose: (list) => list,
});
