import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { periodOf } from '#shared/check-periods.ts';
import { type CheckCard, GRID_LETTERS } from '#shared/features/checks/answers.ts';
import { CHECK_WORDS } from '#shared/features/checks/kinds.words.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { isDueIn, stepOn } from '#shared/features/checks/schedule.words.ts';
import { useLiveQuery } from '../../../live/use-live-query.ts';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { yearGrid } from './checks-log.live.ts';
import { periodName } from './period-name.ts';

/** So many sites are named; the log itself has all of them. */
const NAMED = 8;

/** Which sites have no record of a kind in the present week or month. */
export function MissingSites({ card, today }: { card: CheckCard; today: string }) {
  const { slug, logTitle, cadence } = CHECK_WORDS[card.kind];
  const period = periodOf(cadence, today);
  const { data } = useLiveQuery(yearGrid, { kind: card.kind, year: period.year });
  const missing = data?.sites.filter(({ cells, steps, daysDone }) => {
    if (!isDueIn(steps, period)) return false;
    const letter = cells[period.index] ?? GRID_LETTERS.none;
    const nothing = letter === GRID_LETTERS.none || letter === GRID_LETTERS.not_tested;
    const times = stepOn(steps, period.end)?.times ?? 1;
    return nothing || (times > 1 && daysDone < times);
  });
  return (
    <Card className="min-w-0 px-4 py-3.5">
      <h3 className="font-semibold text-ink">{logTitle}</h3>
      <p className="text-ink-3 text-sm tabular-nums">{periodName(cadence, period)}</p>
      {missing === undefined ? (
        <Skeleton className="mt-2 h-16" />
      ) : missing.length === 0 ? (
        <p className="mt-2 flex items-center gap-2 text-ok">
          <CircleCheck size={16} aria-hidden />
          {logMessages.allDone}
        </p>
      ) : (
        <ul className="mt-1.5 grid grid-cols-[minmax(0,1fr)] gap-0.5">
          {missing.slice(0, NAMED).map(({ buildingId, name }) => (
            <li key={buildingId} className="flex min-w-0 items-center gap-2">
              <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-mark-missed" />
              <Link
                to={`/logbook/${slug}?building=${buildingId}`}
                className="min-w-0 truncate py-0.5 text-ink-2 hover:text-brand hover:underline pointer-coarse:py-2.5"
              >
                {name}
              </Link>
            </li>
          ))}
          {missing.length > NAMED && (
            <li>
              <Link
                to={`/logbook/${slug}`}
                className="text-brand text-sm hover:underline pointer-coarse:py-2.5"
              >
                {logMessages.more(missing.length - NAMED)}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}
