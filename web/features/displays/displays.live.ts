import type { Display } from '#shared/features/displays.ts';
import { api } from '../../lib/trpc.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** The paired displays, sorted by lower(name). */
export const displayList = defineLiveQuery<undefined, Display[], 'display'>({
  name: 'displays.list',
  entities: ['display'],
  fetch: (_input, { signal }) => api.displays.list.query(undefined, { signal }),
  apply: (list, event) => changeRows(list, event, (row) => row.unpairedAt === null, byName),
  // Displays belong to the organisation, so losing access to a building removes none.
  lose: (list) => list,
});

function byName(a: Display, b: Display): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
