import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { addDays, formatWeekdayDate } from '#shared/dates.ts';
import { OUTLET_KIND_LABELS } from '#shared/features/assets/assets.vocabulary.ts';
import { formatLimits } from '#shared/features/checks/limits.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { Trend } from '#shared/features/checks/procedure-answers.ts';
import { presentDay } from '../../../../lib/time/present-time.ts';
import { messageFor } from '../../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../../live/hooks/use-live-query.ts';
import { cx } from '../../../../ui/cx.ts';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx';
import { ResultBadge } from '../../result-badge.tsx';
import { outletTrend } from '../checks-log.live.ts';

const TrendChart = lazy(() => import('./trend-chart.tsx'));

type Props = {
  assetId: string;
  hrefOf: (entryId: string) => string;
  onOpen: (entryId: string) => void;
  onClose: () => void;
};

/** Dialog with one outlet's readings as a chart with limits and as a table. */
export default function TrendDialog({ assetId, hrefOf, onOpen, onClose }: Props) {
  const { data: trend, status, error, refetch } = useLiveQuery(outletTrend, { assetId });
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={trend?.name ?? 'Outlet'}
      subtitle={
        trend !== undefined &&
        `${trend.place} · ${OUTLET_KIND_LABELS[trend.outletKind]}, ${formatLimits(trend.limits)}`
      }
    >
      {status === 'error' ? (
        <ErrorState title={messageFor(error, logMessages.loadFailed)} error={error} onRetry={refetch} />
      ) : trend === undefined ? (
        <Skeleton className="h-72" />
      ) : trend.points.length === 0 ? (
        <p className="py-8 text-center text-ink-2">{logMessages.noRecords}</p>
      ) : (
        <>
          <Suspense fallback={<Skeleton className="h-72" />}>
            <TrendChart points={trend.points} {...spanOf(trend)} onOpen={onOpen} />
          </Suspense>
          <div className="mt-4 max-h-64 overflow-y-auto rounded-control border border-line print:max-h-none">
            <Readings trend={trend} hrefOf={hrefOf} />
          </div>
        </>
      )}
    </Dialog>
  );
}

/** Returns the time span of the chart: at least a year, so that two close readings do not look like a trend. */
function spanOf({ points }: Trend): { from: string; to: string } {
  const to = presentDay();
  const [from = to] = [addDays(to, -365), ...points.map(({ day }) => day)].sort();
  return { from, to };
}

function Readings({ trend, hrefOf }: { trend: Trend; hrefOf: (entryId: string) => string }) {
  return (
    <table className="w-full text-left text-sm">
      <caption className="sr-only">Readings of {trend.name}, newest first</caption>
      <thead className="sticky top-0 bg-surface text-ink-3 text-xs">
        <tr className="border-line border-b">
          {['Date', 'Reading', 'Limit', 'Result'].map((name) => (
            <th
              key={name}
              scope="col"
              className={cx('px-3 py-2 font-medium', name === 'Limit' && 'max-sm:hidden')}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {trend.points.toReversed().map((point) => (
          <tr key={point.entryId} className="border-line border-b last:border-b-0">
            <td className="px-3 py-1.5 whitespace-nowrap tabular-nums">
              <Link
                to={hrefOf(point.entryId)}
                className="inline-flex items-center text-brand hover:underline pointer-coarse:min-h-9"
              >
                {formatWeekdayDate(point.day)}
              </Link>
            </td>
            <td className="px-3 py-1.5 font-semibold whitespace-nowrap tabular-nums">
              {point.value.toFixed(1)} °C
              <span className="block font-normal text-ink-2 text-xs sm:hidden">{formatLimits(point)}</span>
            </td>
            <td className="px-3 py-1.5 text-ink-2 max-sm:hidden">{formatLimits(point)}</td>
            <td className="px-3 py-1.5">
              <ResultBadge result={point.satisfactory ? 'pass' : 'fail'} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
