import { useQuery } from '@tanstack/react-query';
import { User } from 'lucide-react';
import { type Ref, useMemo } from 'react';
import { TASK_STATUSES } from '#shared/features/tasks/task-schedule.ts';
import {
  TASK_DATE_RANGE_LABELS,
  TASK_DATE_RANGES,
  TASK_FREQUENCIES,
  TASK_FREQUENCY_LABELS,
  TASK_SEARCH_MAX,
  TASK_STATUS_LABELS,
} from '#shared/features/tasks/tasks.vocabulary.ts';
import { nameKey, sortByName } from '#shared/text/name-keys.ts';
import { FilterSelect, optionsOf, optionsWithAll } from '../../../ui/fields/filter-select.tsx';
import { Picker } from '../../../ui/fields/picker.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { FilterBar, FoldedFilters } from '../../../ui/lists/folded-filters.tsx';
import { responsibleOptions } from '../form/responsible-options.ts';
import { filtersSet, hasFilters, NO_FILTERS, type TasksState } from '../tasks-url.ts';

type Props = {
  state: TasksState;
  onChange: (patch: Partial<TasksState>, options?: { replace?: boolean }) => void;
  /** Undefined for all buildings. */
  buildingId: string | undefined;
  searchRef: Ref<HTMLInputElement>;
  /** "12 tasks" or "Showing X of N tasks". */
  count: string | undefined;
};

const ANYONE = 'anyone';
const STATUSES = optionsWithAll('All statuses', TASK_STATUSES, TASK_STATUS_LABELS);
const RANGES = optionsOf(TASK_DATE_RANGES, TASK_DATE_RANGE_LABELS);
const FREQUENCIES = optionsWithAll('All frequencies', TASK_FREQUENCIES, TASK_FREQUENCY_LABELS);
const SHOWN = [
  { value: 'used', label: 'In use' },
  { value: 'retired', label: 'Retired' },
] as const;
const GROUPINGS = [
  { value: 'word', label: 'Group: first word' },
  { value: 'system', label: 'Group: full system' },
] as const;

/**
 * Filters of the compliance page. Each is as wide as its longest choice, and larger on a touch screen. Retired tasks and
 * the grouping are offered only for a single building.
 */
export function TaskFilters({ state, onChange, buildingId, searchRef, count }: Props) {
  return (
    <FilterBar count={count ?? ''}>
      <SearchField
        ref={searchRef}
        label="Search tasks..."
        value={state.search}
        onChange={(search) => onChange({ search }, { replace: true })}
        maxLength={TASK_SEARCH_MAX}
        className="sm:w-52 pointer-coarse:sm:w-48"
      />
      <FoldedFilters
        chosen={filtersSet(state)}
        onClear={hasFilters(state) ? () => onChange(NO_FILTERS) : undefined}
      >
        <FilterSelect
          label="Filter by status"
          className="sm:w-40 pointer-coarse:sm:w-44"
          options={STATUSES}
          value={state.status}
          onChange={(status) => onChange({ status })}
        />
        <FilterSelect
          label="Filter by due date"
          className="sm:w-32 pointer-coarse:sm:w-36"
          options={RANGES}
          value={state.range}
          onChange={(range) => onChange({ range })}
        />
        <div className="sm:w-44">
          <ResponsibleFilter
            buildingId={buildingId}
            value={state.responsible}
            onChange={(responsible) => onChange({ responsible })}
          />
        </div>
        <FilterSelect
          label="Filter by frequency"
          className="sm:w-40 pointer-coarse:sm:w-48"
          options={FREQUENCIES}
          value={state.frequency}
          onChange={(frequency) => onChange({ frequency })}
        />
        {buildingId !== undefined && (
          <>
            <FilterSelect
              label="Tasks shown"
              className="sm:w-28"
              options={SHOWN}
              value={state.retired ? 'retired' : 'used'}
              onChange={(shown) => onChange({ retired: shown === 'retired' })}
            />
            <FilterSelect
              label="Group by"
              className="sm:w-44 pointer-coarse:sm:w-52"
              options={GROUPINGS}
              value={state.grouping}
              onChange={(grouping) => onChange({ grouping })}
            />
          </>
        )}
      </FoldedFilters>
    </FilterBar>
  );
}

type ResponsibleProps = {
  buildingId: string | undefined;
  value: string;
  onChange: (responsible: string) => void;
};

/** Filter by the people on the visible tasks and, for people who may edit tasks, the building's colleagues (ruling T26). */
function ResponsibleFilter({ buildingId, value, onChange }: ResponsibleProps) {
  const { data, status, refetch } = useQuery(responsibleOptions(buildingId));
  const options = useMemo(() => {
    const names = [
      ...(data?.names ?? []),
      ...(data?.people ?? []).map(({ name }) => name),
      // The selected name, which may come from an older link. Of names that look the same only the last one is offered, so
      // the selected name is added last.
      ...(value === '' ? [] : [value]),
    ];
    const once = new Map(names.map((name) => [nameKey(name), name]));
    const sorted = sortByName(once.values(), (name) => name);
    return [{ id: ANYONE, label: 'Anyone' }, ...sorted.map((name) => ({ id: `name:${name}`, label: name }))];
  }, [data, value]);
  return (
    <Picker
      block
      label="Responsible"
      options={options}
      value={value === '' ? ANYONE : `name:${value}`}
      onChange={(id) => onChange(id === ANYONE ? '' : id.slice('name:'.length))}
      placeholder="Anyone"
      searchLabel="Search people..."
      nothingFound="Nobody has this name."
      status={status === 'pending' ? 'loading' : status === 'error' ? 'error' : 'ready'}
      errorText="Could not load the people."
      onRetry={() => void refetch()}
      icon={<User size={16} aria-hidden />}
    />
  );
}
