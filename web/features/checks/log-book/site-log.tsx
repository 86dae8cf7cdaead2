import { useMemo } from 'react';
import type { Period } from '#shared/check-periods.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logWordsOf } from '#shared/features/checks/readings.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { isRefusedRead } from '../../../live/stream/wire-error.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { logYear } from './checks-log.live.ts';
import { emptyState } from './grid/grid-labels.ts';
import { logLoadFailed } from './log-load-failed.ts';
import type { LogState } from './log-url.ts';
import { MissedList } from './missed-list.tsx';
import { entriesOf } from './records/log-entry.ts';
import { SubjectLog } from './subject-log.tsx';
import { SiteLimits } from './trend/site-limits.tsx';
import { WeekLog } from './week-log.tsx';

type Props = {
  kind: CheckKind;
  building: string;
  periods: readonly Period[];
  today: string;
  state: LogState;
  change: (patch: Partial<LogState>, options?: { replace?: boolean }) => void;
  hrefOf: (patch: Partial<LogState>) => string;
};

/** One site's year of one log, by week or by subject. */
export function SiteLog({ kind, building, periods, today, state, change, hrefOf }: Props) {
  const { data, status, error, refetch } = useLiveQuery(logYear, {
    kind,
    year: state.year,
    buildingId: building,
  });
  const entries = useMemo(() => data?.visits.flatMap(entriesOf) ?? [], [data]);
  const incidents = useMemo(() => data?.incidents.flatMap(entriesOf) ?? [], [data]);
  if (status === 'error') {
    return isRefusedRead(error) ? (
      <ErrorState title={messages.common.notFound} />
    ) : (
      <ErrorState title={messageFor(error, logLoadFailed(kind))} error={error} onRetry={refetch} />
    );
  }
  if (data === undefined) {
    return (
      <div className="grid gap-3.5" aria-busy>
        <Skeleton className="h-16" />
        <Skeleton className="h-96" />
      </div>
    );
  }
  const site = { id: building, name: data.buildingName };
  const { cadence } = CHECK_VOCABULARY[kind];
  const { startsOn, steps } = data;
  const shared = { site, kind, periods, entries, today, startsOn, steps, state, change, hrefOf };
  const { rows, measures } = logWordsOf(kind);
  if (rows === 'weeks') {
    return <WeekLog {...shared} incidents={incidents} missed={data.missed} />;
  }
  const empty = periods.filter(
    (period) =>
      emptyState(period, { startsOn, steps, today }) === 'not_tested' &&
      !entries.some(({ day }) => day >= period.start && day <= period.end),
  );
  return (
    <>
      {measures !== undefined && <SiteLimits measures={measures} healthcare={data.healthcare} />}
      <SubjectLog {...shared} subjects={data.subjects} />
      <MissedList site={site} kind={kind} cadence={cadence} periods={empty} missed={data.missed} />
    </>
  );
}
