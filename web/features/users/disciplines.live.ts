import type { Discipline } from '#shared/features/disciplines/disciplines.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** Active disciplines, sorted by name. */
export const disciplines = defineLiveQuery<undefined, Discipline[], 'discipline'>({
  name: 'documents.disciplines.list',
  entities: ['discipline'],
  fetch: (_input, { signal }) => api.documents.disciplines.list.query(undefined, { signal }),
  apply: (list, event) => changeRows(list, event, (row) => row.isActive, compareByName),
  // Disciplines belong to the organisation, so losing access to a building removes no discipline.
  lose: (list) => list,
});
