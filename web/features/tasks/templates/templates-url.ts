import { NATIONS, TEMPLATE_CLASSES } from '#shared/features/tasks/task-templates.ts';
import { TASK_SEARCH_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import { choice, defineUrlState, id, type StateOf, text } from '../../../lib/url-state.ts';

/** The building and the filter of the library, as stored in the URL. */
export const templatesUrl = defineUrlState({
  building: id('building'),
  search: text('q', TASK_SEARCH_MAX),
  class: choice('class', TEMPLATE_CLASSES, null),
  nation: choice('nation', NATIONS, null),
});
export type TemplatesState = StateOf<typeof templatesUrl>;

const FILTERS = ['search', 'class', 'nation'] as const;

/** The state after "Clear Filters". */
export const NO_FILTERS = templatesUrl.defaultsOf(FILTERS);

export function hasFilters(state: TemplatesState): boolean {
  return templatesUrl.countChanged(state, FILTERS) > 0;
}
