import { addDays, formatDay } from '#shared/dates.ts';
import type { PulseSummary } from '#shared/features/pulse/pulse.ts';
import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import { NumberTable, Picture } from './picture.tsx';

const HEIGHT = 96;
const STEP = 26;
const BAR = 9;
/** Height of a bar for zero, px, so that the bar is still visible. */
const LEAST = 2;

/** Issues opened and closed in each of the last weeks: filled and outlined bars, which differ without colour. */
export function WeeksPicture({ last, opened, closed }: PulseSummary['weeks']) {
  const weeks = opened.map((count, at) => ({
    week: addDays(last, 7 * (at + 1 - opened.length)),
    opened: count,
    closed: closed[at] ?? 0,
  }));
  const sumOf = (name: 'opened' | 'closed') => weeks.reduce((sum, week) => sum + week[name], 0);
  const text = pulseMessages.weeksText(sumOf('opened'), sumOf('closed'));
  const most = Math.max(1, ...weeks.flatMap(({ opened, closed }) => [opened, closed]));
  const heightOf = (count: number) => Math.max(LEAST, (count / most) * (HEIGHT - LEAST));
  const rows = weeks.map(({ week, opened, closed }) => ({
    name: formatDay(week),
    numbers: [opened, closed],
  }));
  return (
    <Picture
      title={pulseMessages.weeksTitle}
      text={text}
      table={
        <NumberTable head={[pulseMessages.week, pulseMessages.opened, pulseMessages.closed]} rows={rows} />
      }
    >
      <svg
        viewBox={`0 0 ${weeks.length * STEP} ${HEIGHT + 1}`}
        className="block w-full"
        role="img"
        aria-label={text}
      >
        {weeks.map((week, at) => {
          const { opened, closed } = week;
          const x = at * STEP + (STEP - 2 * BAR - 2) / 2;
          return (
            <g key={week.week}>
              <title>{pulseMessages.weekTip(week)}</title>
              <rect
                x={x}
                y={HEIGHT - heightOf(opened)}
                width={BAR}
                height={heightOf(opened)}
                rx={1.5}
                className="fill-brand"
              />
              <rect
                x={x + BAR + 2.5}
                y={HEIGHT - heightOf(closed) + 0.5}
                width={BAR - 1}
                height={heightOf(closed) - 0.5}
                rx={1.5}
                className="fill-brand-soft stroke-brand"
              />
            </g>
          );
        })}
        <line x1={0} x2={weeks.length * STEP} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="stroke-line-2" />
      </svg>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-2 text-sm">
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-[2px] bg-brand" />
          {pulseMessages.opened}
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-[2px] border border-brand bg-brand-soft" />
          {pulseMessages.closed}
        </span>
      </div>
    </Picture>
  );
}
