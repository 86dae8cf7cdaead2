import { BookOpen } from 'lucide-react';
import { useMemo } from 'react';
import type { Period } from '#shared/check-periods.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { LogYear } from '#shared/features/checks/procedure-answers.ts';
import { logWordsOf } from '#shared/features/checks/readings.vocabulary.ts';
import type { ScheduleStep } from '#shared/features/checks/schedule.vocabulary.ts';
import { searchKey } from '#shared/text/name-keys.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { SubjectGrid } from './grid/subject-grid.tsx';
import { matchesSubject, subjectRows } from './grid/subject-rows.ts';
import { hasLogFilters, type LogState, NO_LOG_FILTERS } from './log-url.ts';
import { periodLabel, periodName } from './period-name.ts';
import { EntryLines } from './records/entry-lines.tsx';
import type { LogEntry } from './records/log-entry.ts';

type Props = {
  site: { id: string; name: string };
  kind: CheckKind;
  periods: readonly Period[];
  subjects: LogYear['subjects'];
  entries: readonly LogEntry[];
  today: string;
  startsOn: string;
  steps: readonly ScheduleStep[];
  state: LogState;
  change: (patch: Partial<LogState>) => void;
  hrefOf: (patch: Partial<LogState>) => string;
};

/** One site's year by subject; with a month selected, a list of its entries. */
export function SubjectLog(props: Props) {
  const { site, kind, periods, subjects, entries, today, startsOn, steps, state, change, hrefOf } = props;
  const { cadence, subject, logTitle } = CHECK_VOCABULARY[kind];
  const { measures } = logWordsOf(kind);
  const wanted = useMemo(() => byOperative(entries, state.operative), [entries, state.operative]);
  const rows = useMemo(
    () =>
      subjectRows(subjects, periods, { entries, wanted }, { today, startsOn, steps }, textOf).filter((row) =>
        matchesSubject(row, state),
      ),
    [subjects, periods, entries, wanted, today, startsOn, steps, state],
  );
  const narrowed = hasLogFilters(state);
  if (state.month !== null) {
    const month = `${state.year}-${String(state.month).padStart(2, '0')}`;
    const inside = wanted.filter(
      ({ day, result }) => day.startsWith(month) && (state.result === null || result === state.result),
    );
    return inside.length === 0 ? (
      <Nothing narrowed onClear={() => change(NO_LOG_FILTERS)} />
    ) : (
      <EntryLines entries={inside} hrefOf={(id) => hrefOf({ entry: id })} />
    );
  }
  if (rows.length === 0) return <Nothing narrowed={narrowed} onClear={() => change(NO_LOG_FILTERS)} />;
  return (
    <SubjectGrid
      caption={`${logTitle}, ${site.name}, ${state.year}`}
      of={subject.one}
      dense={cadence === 'weekly'}
      columns={periods.map((period) => ({
        start: period.start,
        label: periodLabel(cadence, period),
        name: periodName(cadence, period),
        current: period.start <= today && today <= period.end,
      }))}
      rows={rows}
      hrefOfEntry={(id) => hrefOf({ entry: id })}
      hrefOfSubject={measures === undefined ? undefined : (assetId) => hrefOf({ subject: assetId })}
    />
  );
}

/** Returns the text of a cell: the number of a reading, otherwise the result. */
function textOf({ value, result, kind }: LogEntry): string | null {
  const { measures } = logWordsOf(kind);
  if (measures !== undefined) return value === null ? null : value.toFixed(measures.digits);
  return { pass: 'Pass', fail: 'Fail', not_tested: '—' }[result];
}

function byOperative(entries: readonly LogEntry[], operative: string): readonly LogEntry[] {
  const wanted = searchKey(operative);
  return wanted === ''
    ? entries
    : entries.filter(({ operativeName }) => searchKey(operativeName).includes(wanted));
}

function Nothing({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  return (
    <EmptyState
      icon={<BookOpen size={20} />}
      title={narrowed ? logMessages.noneMatch : logMessages.noSubjects}
      action={narrowed ? <Button onClick={onClear}>Clear Filters</Button> : undefined}
    />
  );
}
