import type { Discipline } from '#shared/features/disciplines.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** The disciplines in use, by lower(name). */
export const disciplines = defineLiveQuery<undefined, Discipline[], 'discipline'>({
  name: 'documents.disciplines.list',
  entities: ['discipline'],
  fetch: (_input, { signal }) => api.documents.disciplines.list.query(undefined, { signal }),
  apply(list, event) {
    const held = list.find((each) => each.id === event.entityId);
    if (held !== undefined && event.version <= held.version) return list;
    const others = held === undefined ? list : list.filter((each) => each !== held);
    if (event.op === 'del' || !event.row.isActive) return others;
    return [...others, event.row].sort(byName);
  },
  // Of the whole organisation: no building takes one away.
  lose: (list) => list,
  size: (list) => list.length,
});

function byName(a: Discipline, b: Discipline): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
