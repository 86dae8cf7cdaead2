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
import { Picker } from '../../../ui/fields/picker.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { FoldedFilters, filterLine } from '../../../ui/lists/folded-filters.tsx';
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

/** Filters of the compliance page. Retired tasks and the grouping are offered only for a single building. */
export function TaskFilters({ state, onChange, buildingId, searchRef, count }: Props) {
  return (
    <div className={filterLine}>
      <SearchField
        ref={searchRef}
        label="Search tasks..."
        value={state.search}
        onChange={(search) => onChange({ search }, { replace: true })}
        maxLength={TASK_SEARCH_MAX}
        className="sm:w-52"
      />
      <FoldedFilters
        chosen={filtersSet(state)}
        onClear={hasFilters(state) ? () => onChange(NO_FILTERS) : undefined}
      >
        <div className="sm:w-40">
          <SelectField
            label="Filter by status"
            hideLabel
            value={state.status ?? ''}
            onChange={({ target }) =>
              onChange({ status: TASK_STATUSES.find((status) => status === target.value) ?? null })
            }
          >
            <option value="">All statuses</option>
            {TASK_STATUSES.map((status) => (
              <option key={status} value={status}>
                {TASK_STATUS_LABELS[status]}
              </option>
            ))}
          </SelectField>
        </div>
        <div className="sm:w-32">
          <SelectField
            label="Filter by due date"
            hideLabel
            value={state.range}
            onChange={({ target }) =>
              onChange({ range: TASK_DATE_RANGES.find((range) => range === target.value) ?? 'all' })
            }
          >
            {TASK_DATE_RANGES.map((range) => (
              <option key={range} value={range}>
                {TASK_DATE_RANGE_LABELS[range]}
              </option>
            ))}
          </SelectField>
        </div>
        <div className="sm:w-44">
          <ResponsibleFilter
            buildingId={buildingId}
            value={state.responsible}
            onChange={(responsible) => onChange({ responsible })}
          />
        </div>
        <div className="sm:w-40">
          <SelectField
            label="Filter by frequency"
            hideLabel
            value={state.frequency ?? ''}
            onChange={({ target }) =>
              onChange({ frequency: TASK_FREQUENCIES.find((each) => each === target.value) ?? null })
            }
          >
            <option value="">All frequencies</option>
            {TASK_FREQUENCIES.map((frequency) => (
              <option key={frequency} value={frequency}>
                {TASK_FREQUENCY_LABELS[frequency]}
              </option>
            ))}
          </SelectField>
        </div>
        {buildingId !== undefined && (
          <>
            <div className="sm:w-28">
              <SelectField
                label="Tasks shown"
                hideLabel
                value={state.retired ? 'retired' : 'used'}
                onChange={({ target }) => onChange({ retired: target.value === 'retired' })}
              >
                <option value="used">In use</option>
                <option value="retired">Retired</option>
              </SelectField>
            </div>
            <div className="sm:w-44">
              <SelectField
                label="Group by"
                hideLabel
                value={state.grouping}
                onChange={({ target }) =>
                  onChange({ grouping: target.value === 'system' ? 'system' : 'word' })
                }
              >
                <option value="word">Group: first word</option>
                <option value="system">Group: full system</option>
              </SelectField>
            </div>
          </>
        )}
      </FoldedFilters>
      <p
        className="self-center text-ink-2 text-sm tabular-nums max-sm:col-span-2 sm:ml-auto"
        aria-live="polite"
      >
        {count}
      </p>
    </div>
  );
}

type ResponsibleProps = {
  buildingId: string | undefined;
  value: string;
  onChange: (responsible: string) => void;
};

/** The people on the visible tasks and, for those who edit tasks, the colleagues at the building (ruling T26). */
function ResponsibleFilter({ buildingId, value, onChange }: ResponsibleProps) {
  const { data, status, refetch } = useQuery(responsibleOptions(buildingId));
  const options = useMemo(() => {
    const names = [
      ...(data?.names ?? []),
      ...(data?.people ?? []).map(({ name }) => name),
      // From an older link. The last of names that look the same is offered, so that it is the chosen one.
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
