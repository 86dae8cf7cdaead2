import type { ReactNode } from 'react';
import { isIncident, titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { LOG_RESULT_LABELS, LOG_RESULTS } from '#shared/features/checks/log.vocabulary.ts';
import { FilterSelect, optionsWithAll } from '../../../ui/fields/filter-select.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { FilterBar, FoldedFilters } from '../../../ui/lists/folded-filters.tsx';
import { BuildingFilter } from '../../locations/pickers/building-filter.tsx';
import { entryKindsOf, type LogState, logFiltersSet, NO_LOG_FILTERS } from './log-url.ts';
import { MONTH_NAMES } from './period-name.ts';
import { YearSelect } from './year-select.tsx';

type Props = {
  kind: CheckKind;
  state: LogState;
  today: string;
  onChange: (patch: Partial<LogState>, options?: { replace?: boolean }) => void;
  /** Shown at the end of the line: the legend, or a jump button. */
  children?: ReactNode;
};

const RESULTS = optionsWithAll('All results', LOG_RESULTS, LOG_RESULT_LABELS);

/** Site, year and filters of a log, stored in the URL. On a phone the filters fold behind a button. */
export function LogFilters({ kind, state, today, onChange, children }: Props) {
  const chosen = logFiltersSet(state);
  return (
    <FilterBar className="mb-3.5 print:hidden">
      <div className="col-span-2 min-w-0 sm:w-56 lg:w-64">
        <BuildingFilter
          label="Site"
          allLabel="All sites"
          value={state.building}
          onChange={(building) => onChange({ building, period: null, subject: null })}
        />
      </div>
      <YearSelect year={state.year} today={today} onChange={(year) => onChange({ year, period: null })} />
      <FoldedFilters chosen={chosen} onClear={chosen === 0 ? undefined : () => onChange(NO_LOG_FILTERS)}>
        <NarrowedBy kind={kind} state={state} onChange={onChange} />
      </FoldedFilters>
      <div className="flex flex-wrap items-center gap-3 max-sm:col-span-2 sm:ml-auto">{children}</div>
    </FilterBar>
  );
}

function NarrowedBy({ kind, state, onChange }: Pick<Props, 'kind' | 'state' | 'onChange'>) {
  const monthly = CHECK_VOCABULARY[kind].cadence === 'monthly';
  const entryKinds = entryKindsOf(kind);
  // Incidents have no result.
  const noTest = state.entryKind !== null && isIncident(state.entryKind);
  return (
    <>
      {monthly && (
        <SelectField
          label="Month"
          hideLabel
          value={state.month ?? ''}
          onChange={({ target }) => onChange({ month: target.value === '' ? null : Number(target.value) })}
        >
          <option value="">All months</option>
          {MONTH_NAMES.map((name, index) => (
            <option key={name} value={index + 1}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {entryKinds.length > 0 && (
        <FilterSelect
          label="Entries"
          options={[
            { value: null, label: 'All entries' },
            ...entryKinds.map((value) => ({ value, label: titleOf(value) })),
          ]}
          value={state.entryKind}
          onChange={(entryKind) =>
            onChange({ entryKind, ...(entryKind !== null && isIncident(entryKind) ? { result: null } : {}) })
          }
        />
      )}
      <FilterSelect
        label="Result"
        options={RESULTS}
        value={state.result}
        onChange={(result) => onChange({ result, ...(result !== null && noTest ? { entryKind: null } : {}) })}
      />
      <SearchField
        label="Operative..."
        value={state.operative}
        onChange={(operative) => onChange({ operative }, { replace: true })}
        maxLength={100}
        className="sm:w-44"
      />
    </>
  );
}
