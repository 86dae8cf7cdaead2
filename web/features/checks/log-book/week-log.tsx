import { ArrowDownToDot, BookOpen } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Period } from '#shared/check-periods.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { MissedPeriod } from '#shared/features/checks/rows.ts';
import type { ScheduleStep } from '#shared/features/checks/schedule.vocabulary.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { matchesWeek, type WeekRow, weekRows } from './grid/week-rows.ts';
import { WeekTable } from './grid/week-table.tsx';
import { YearGrid } from './grid/year-grid.tsx';
import { hasLogFilters, type LogState, NO_LOG_FILTERS } from './log-url.ts';
import { periodName } from './period-name.ts';
import type { LogEntry } from './records/log-entry.ts';

const ExplainDialog = lazy(() => import('./explain-dialog.tsx'));

type Props = {
  site: { id: string; name: string };
  kind: CheckKind;
  periods: readonly Period[];
  entries: readonly LogEntry[];
  incidents: readonly LogEntry[];
  missed: readonly MissedPeriod[];
  today: string;
  startsOn: string;
  steps: readonly ScheduleStep[];
  state: LogState;
  change: (patch: Partial<LogState>, options?: { replace?: boolean }) => void;
  hrefOf: (patch: Partial<LogState>) => string;
};

/** One site's year by week: the year's squares and a table with a row for each week. */
export function WeekLog({
  site,
  periods,
  entries,
  incidents,
  missed,
  today,
  startsOn,
  steps,
  state,
  change,
  hrefOf,
  kind,
}: Props) {
  const { can } = usePermissions();
  const [explaining, setExplaining] = useState<WeekRow>();
  const rows = useMemo(
    () => weekRows(periods, { entries, incidents }, missed, { today, startsOn, steps }),
    [periods, entries, incidents, missed, today, startsOn, steps],
  );
  const shown = useMemo(() => rows.filter((row) => matchesWeek(row, state)), [rows, state]);
  const current = rows.find(({ when }) => when === 'current');
  const grid = useMemo(() => [{ ...site, cells: rows.map(({ cell }) => cell) }], [site, rows]);

  const starts = useMemo(() => periods.map(({ start }) => start), [periods]);
  const names = useMemo(() => periods.map((period) => periodName('weekly', period)), [periods]);

  function show(start: string) {
    const row = document.querySelector(`[data-week="${start}"]`);
    row?.scrollIntoView({ block: 'center', behavior: 'smooth' });
    row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }

  return (
    <>
      <Card className="mb-3.5 flex items-center gap-x-4 gap-y-2 px-4 max-lg:flex-col max-lg:items-stretch py-3.5 sm:px-5">
        <div className="min-w-0 flex-1">
          <YearGrid
            of="Site"
            rows={grid}
            starts={starts}
            names={names}
            current={current?.start}
            hrefOf={() => hrefOf({})}
            onCell={(_row, start) => show(start)}
          />
        </div>
        {current !== undefined && (
          <Button onClick={() => show(current.start)} className="print:hidden lg:shrink-0 sm:max-lg:self-end">
            <ArrowDownToDot size={16} aria-hidden />
            {logMessages.jump}
          </Button>
        )}
      </Card>
      {shown.length === 0 ? (
        <EmptyState
          icon={<BookOpen size={20} />}
          title={logMessages.noneMatch}
          action={
            hasLogFilters(state) ? (
              <Button onClick={() => change(NO_LOG_FILTERS)}>Clear Filters</Button>
            ) : undefined
          }
        />
      ) : (
        <WeekTable
          caption={`${CHECK_VOCABULARY[kind].logTitle}, ${site.name}, ${state.year}`}
          subject={CHECK_VOCABULARY[kind].subject.one}
          rows={shown}
          open={state.period}
          onToggle={(start) => change({ period: state.period === start ? null : start }, { replace: true })}
          hrefOfEntry={(id) => hrefOf({ entry: id })}
          onExplain={can('create_logbook_entries') ? setExplaining : undefined}
        />
      )}
      <Suspense fallback={null}>
        {explaining !== undefined && (
          <ExplainDialog
            site={site}
            kind={kind}
            period={explaining}
            onClose={() => setExplaining(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}
