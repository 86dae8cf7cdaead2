import {
  NATIONS,
  type Nation,
  TEMPLATE_CLASSES,
  type TemplateClass,
} from '#shared/features/task-templates.ts';
import type { TemplateFilter } from '#shared/features/task-templates.vocabulary.ts';
import { TASK_SEARCH_MAX } from '#shared/features/tasks.vocabulary.ts';
import { oneOf } from '../../../lib/one-of.ts';
import { uuidOrNull } from '../../../lib/uuid-or-null.ts';

/** The building and the filter of the library, as stored in the URL. */
export type TemplatesState = TemplateFilter & { building: string | null };

/** Reads the state from the URL. Unknown values count as absent. */
export function readTemplatesState(params: URLSearchParams): TemplatesState {
  return {
    building: uuidOrNull(params.get('building')),
    search: (params.get('q') ?? '').slice(0, TASK_SEARCH_MAX),
    class: oneOf<TemplateClass>(TEMPLATE_CLASSES, params.get('class')) ?? null,
    nation: oneOf<Nation>(NATIONS, params.get('nation')) ?? null,
  };
}

/** Writes the state to URL parameters, without defaults. */
export function writeTemplatesState(state: TemplatesState): URLSearchParams {
  const params = new URLSearchParams();
  if (state.building !== null) params.set('building', state.building);
  if (state.search !== '') params.set('q', state.search);
  if (state.class !== null) params.set('class', state.class);
  if (state.nation !== null) params.set('nation', state.nation);
  return params;
}

/** The filter after "Clear Filters". */
export const NO_FILTER = { search: '', class: null, nation: null } as const satisfies TemplateFilter;

export function hasFilter(state: TemplatesState): boolean {
  return state.search.trim() !== '' || state.class !== null || state.nation !== null;
}
