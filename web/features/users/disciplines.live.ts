import type { Discipline } from '#shared/features/disciplines.ts';
import { api } from '../../lib/trpc.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** Active disciplines, sorted by lower(name). */
export const disciplines = defineLiveQuery<undefined, Discipline[], 'discipline'>({
  name: 'documents.disciplines.list',
  entities: ['discipline'],
  fetch: (_input, { signal }) => api.documents.disciplines.list.query(undefined, { signal }),
  apply: (list, event) => changeRows(list, event, (row) => row.isActive, byName),
  // Disciplines belong to the organisation, so losing access to a building removes none.
  lose: (list) => list,
});

function byName(a: Discipline, b: Discipline): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
