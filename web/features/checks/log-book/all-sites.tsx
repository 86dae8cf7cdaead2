import { Building2 } from 'lucide-react';
import { useMemo } from 'react';
import type { Period } from '#shared/check-periods.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { yearGrid } from './checks-log.live.ts';
import { cellsOf } from './grid/grid-labels.ts';
import { YearGrid } from './grid/year-grid.tsx';
import { logLoadFailed } from './log-load-failed.ts';
import { hasLogFilters, type LogState } from './log-url.ts';
import { periodName } from './period-name.ts';
import { RecordsList } from './records/records-list.tsx';

type Props = {
  kind: CheckKind;
  periods: readonly Period[];
  today: string;
  state: LogState;
  change: (patch: Partial<LogState>) => void;
  hrefOf: (patch: Partial<LogState>) => string;
};

/** A year of one log over all sites as a grid, followed by the latest records. */
export function AllSites({ kind, periods, today, state, change, hrefOf }: Props) {
  const { data, status, error, refetch } = useLiveQuery(yearGrid, { kind, year: state.year });
  const { cadence } = CHECK_VOCABULARY[kind];
  const rows = useMemo(
    () =>
      data?.sites.map(({ buildingId, name, startsOn, steps, cells }) => ({
        id: buildingId,
        name,
        cells: cellsOf(cells, periods, { startsOn, steps, today }),
      })),
    [data, periods, today],
  );
  const starts = useMemo(() => periods.map(({ start }) => start), [periods]);
  const names = useMemo(() => periods.map((period) => periodName(cadence, period)), [cadence, periods]);
  const current = periods.find(({ start, end }) => start <= today && today <= end)?.start;

  // With filters, only the matching records are shown, without the grid of up to two thousand sites above them.
  if (hasLogFilters(state)) return <RecordsList kind={kind} state={state} hrefOf={hrefOf} change={change} />;
  return (
    <>
      {status === 'error' ? (
        <ErrorState title={messageFor(error, logLoadFailed(kind))} error={error} onRetry={refetch} />
      ) : rows === undefined ? (
        <Skeleton className="h-64" />
      ) : rows.length === 0 ? (
        <EmptyState icon={<Building2 size={20} />} title={logMessages.noSites} />
      ) : (
        <Card className="px-4 py-4 sm:px-5">
          <YearGrid
            of="Site"
            rows={rows}
            starts={starts}
            names={names}
            current={current}
            hrefOf={(row) => hrefOf({ building: row.id, period: null })}
            onCell={(row, start) => change({ building: row.id, period: start })}
          />
        </Card>
      )}
      {rows !== undefined && rows.length > 0 && (
        <RecordsList kind={kind} state={state} hrefOf={hrefOf} change={change} />
      )}
    </>
  );
}
