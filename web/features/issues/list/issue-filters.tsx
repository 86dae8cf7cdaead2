import { lazy, type ReactNode, type Ref, Suspense, useEffect, useRef, useState } from 'react';
import {
  ISSUE_PRIORITIES,
  ISSUE_SEARCH_MAX,
  ISSUE_STATUSES,
} from '#shared/features/issues/issues.vocabulary.ts';
import { chipStyle } from '../../../ui/chip.ts';
import { Listbox } from '../../../ui/fields/listbox.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { FiltersButton } from '../../../ui/lists/filters-button.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { hasFilters, type IssuesState, NO_FILTERS } from '../issues-url.ts';
import { all, priorityOptions, rangeOptions, statusOptions } from './filter-options.tsx';

const FilterSheet = lazy(() => import('./filter-sheet.tsx'));

/** Delay after typing before the search runs. */
const TYPING_MS = 200;

type Props = {
  state: IssuesState;
  onChange: (patch: Partial<IssuesState>, options?: { replace?: boolean }) => void;
  /** Target of the `/` shortcut. */
  searchRef: Ref<HTMLInputElement>;
  /** "N issue(s)" or "Showing X of N issues". */
  count: string | undefined;
  /** Shown at the end of the row: the choice of view. */
  end: ReactNode;
};

/** Filters of the issues page as chips; on a phone behind one button. */
export function IssueFilters({ state, onChange, searchRef, count, end }: Props) {
  const wide = useMedia('(min-width: 768px)');
  const [sheet, setSheet] = useState(false);
  const narrowed = hasFilters(state);
  const clear = () => onChange(NO_FILTERS);
  const chosen =
    state.statuses.length + state.priorities.length + (state.range === 'all' ? 0 : 1) + (state.mine ? 1 : 0);
  const search = <IssueSearch ref={searchRef} value={state.search} onChange={onChange} />;
  const said = (
    <p className="text-ink-2 tabular-nums" aria-live="polite">
      {count}
    </p>
  );

  if (!wide) {
    return (
      <div className="grid w-full gap-2">
        <div className="flex gap-2">
          <div className="min-w-0 flex-1">{search}</div>
          <FiltersButton chosen={chosen} onClick={() => setSheet(true)} aria-haspopup="dialog" />
        </div>
        <div className="flex items-center justify-between gap-3">
          {said}
          {end}
        </div>
        {sheet && (
          <Suspense fallback={null}>
            <FilterSheet state={state} onChange={onChange} onClear={clear} onClose={() => setSheet(false)} />
          </Suspense>
        )}
      </div>
    );
  }

  return (
    <div className="flex items-start gap-4">
      <div className="flex min-h-9 min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-2">
        <Listbox
          label="Status"
          options={statusOptions}
          value={state.statuses}
          onChange={(statuses) => onChange({ statuses: all(statuses, ISSUE_STATUSES.length) })}
          onClear={() => onChange({ statuses: [] })}
        />
        <Listbox
          label="Priority"
          options={priorityOptions}
          value={state.priorities}
          onChange={(priorities) => onChange({ priorities: all(priorities, ISSUE_PRIORITIES.length) })}
          onClear={() => onChange({ priorities: [] })}
        />
        <Listbox
          single
          label="Created"
          prefix="Created"
          options={rangeOptions}
          value={[state.range]}
          onChange={([range]) => onChange({ range: range ?? 'all' })}
          active={state.range !== 'all'}
          onClear={() => onChange({ range: 'all' })}
        />
        <button
          type="button"
          aria-pressed={state.mine}
          onClick={() => onChange({ mine: !state.mine })}
          className={chipStyle(state.mine, false)}
        >
          Assigned to me
        </button>
        <div className="w-52">{search}</div>
        <button
          type="button"
          onClick={clear}
          disabled={!narrowed}
          className={`${chipStyle(false, false)} disabled:opacity-50`}
        >
          Clear
        </button>
        {said}
      </div>
      {end}
    </div>
  );
}

type SearchProps = { ref: Ref<HTMLInputElement>; value: string; onChange: Props['onChange'] };

/** Search box that searches once the typing pauses. */
function IssueSearch({ ref, value, onChange }: SearchProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);
  // Back, Forward and Clear change the URL without this box.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = next;
      onChange({ search: next }, { replace: true });
    }, TYPING_MS);
  }
  return (
    <SearchField ref={ref} label="Search issues" value={text} onChange={type} maxLength={ISSUE_SEARCH_MAX} />
  );
}
