import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { periodOf } from '#shared/check-periods.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { CheckCard } from '#shared/features/checks/procedure-answers.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { missingSites } from './checks-log.live.ts';
import { logLoadFailed } from './log-load-failed.ts';
import { periodName } from './period-name.ts';

/** Sites where a kind is not done in the current week or month. */
export function MissingSites({ card, today }: { card: CheckCard; today: string }) {
  const { slug, logTitle, cadence, subject } = CHECK_VOCABULARY[card.kind];
  const period = periodOf(cadence, today);
  // The period's first day rather than today, so that the query stays the same for the whole period.
  const { data, status, error, refetch } = useLiveQuery(missingSites, {
    kind: card.kind,
    day: period.start,
  });
  return (
    <Card className="min-w-0 px-4 py-3.5">
      <h3 className="font-semibold text-ink">{logTitle}</h3>
      <p className="text-ink-3 text-sm tabular-nums">{periodName(cadence, period)}</p>
      {status === 'error' ? (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-ink-2">
          <p className="min-w-0 flex-1">{messageFor(error, logLoadFailed(card.kind))}</p>
          <Button size="sm" onClick={refetch}>
            Try again
          </Button>
        </div>
      ) : data === undefined ? (
        <Skeleton className="mt-2 h-16" />
      ) : data.total === 0 ? (
        <p className="mt-2 flex items-center gap-2 text-ok">
          <CircleCheck size={16} aria-hidden />
          {logMessages.allDone}
        </p>
      ) : (
        <ul className="mt-1.5 grid grid-cols-[minmax(0,1fr)] gap-0.5">
          {data.sites.map(({ buildingId, name, done, of }) => (
            <li key={buildingId} className="flex min-w-0 items-center gap-2">
              <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-mark-missed" />
              <Link
                to={`/logbook/${slug}?building=${buildingId}`}
                className="min-w-0 truncate py-0.5 text-ink-2 hover:text-brand hover:underline pointer-coarse:py-2.5"
              >
                {name}
              </Link>
              {done !== null && of !== null && (
                <span className="ml-auto shrink-0 text-ink-2 text-sm tabular-nums">
                  {formMessages.partlyDone(done, of, subject.many.toLowerCase())}
                </span>
              )}
            </li>
          ))}
          {data.total > data.sites.length && (
            <li>
              <Link
                to={`/logbook/${slug}`}
                className="text-brand text-sm hover:underline pointer-coarse:py-2.5"
              >
                {logMessages.more(data.total - data.sites.length)}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}
