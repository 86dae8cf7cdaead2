import type { ReactNode } from 'react';
import { NATIONS, TEMPLATE_CLASSES } from '#shared/features/tasks/task-templates.ts';
import { NATION_LABELS, TEMPLATE_CLASS_LABELS } from '#shared/features/tasks/task-templates.vocabulary.ts';
import { TASK_SEARCH_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import { FilterSelect, optionsWithAll } from '../../../ui/fields/filter-select.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { FilterBar, FoldedFilters } from '../../../ui/lists/folded-filters.tsx';
import { BuildingPicker } from '../../locations/pickers/building-picker.tsx';
import { hasFilters, NO_FILTERS, type TemplatesState } from './templates-url.ts';

const CLASSES = optionsWithAll('Any basis', TEMPLATE_CLASSES, TEMPLATE_CLASS_LABELS);
const ALL_NATIONS = optionsWithAll('All nations', NATIONS, NATION_LABELS);

type Props = {
  state: TemplatesState;
  building: string | null;
  onChange: (patch: Partial<TemplatesState>, options?: { replace?: boolean }) => void;
  count: ReactNode;
};

/** The building for which the library is shown, and the filters of the library. */
export function TemplateFilters({ state, building, onChange, count }: Props) {
  return (
    <FilterBar count={count}>
      <div className="col-span-2 sm:w-72">
        <BuildingPicker block value={building ?? undefined} onChange={(id) => onChange({ building: id })} />
      </div>
      <SearchField
        label="Search the library..."
        value={state.search}
        onChange={(search) => onChange({ search }, { replace: true })}
        maxLength={TASK_SEARCH_MAX}
        className="sm:w-60"
      />
      <FoldedFilters
        chosen={[state.class, state.nation].filter((value) => value !== null).length}
        onClear={hasFilters(state) ? () => onChange(NO_FILTERS) : undefined}
      >
        <FilterSelect
          label="Filter by basis"
          className="sm:w-56"
          options={CLASSES}
          value={state.class}
          onChange={(value) => onChange({ class: value })}
        />
        <FilterSelect
          label="Filter by nation"
          className="sm:w-44"
          options={ALL_NATIONS}
          value={state.nation}
          onChange={(nation) => onChange({ nation })}
        />
      </FoldedFilters>
    </FilterBar>
  );
}
