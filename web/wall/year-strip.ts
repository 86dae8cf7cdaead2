import type { WallWeek } from '#shared/features/displays/wall.ts';
import { el } from './element.ts';
import type { Layout } from './layout.ts';
import { monthText, words } from './words.ts';

/** Minimum height of the mark for missed checks, in per cent of the bar, so that it is visible from across the room. */
const LEAST_MISSED = 25;

/**
 * The checks of the last year, one bar for each week: the bar's height is the share that was done, with a mark on top if
 * any was missed. The height and the gap make this visible without colours, too.
 * @param weeks undefined while they are not known; the strip is then empty, and keeps its place
 */
export function yearStrip(weeks: readonly WallWeek[] | undefined, { hasMonthNames }: Layout): HTMLElement {
  const known = weeks ?? [];
  let due = 0;
  let done = 0;
  for (const week of known) {
    due += week.due;
    done += week.done;
  }
  const share = due === 0 ? words.noChecksYet : words.doneInTime(Math.floor((100 * done) / due));
  return el(
    'div',
    'year',
    el(
      'div',
      'head',
      el('b', '', words.year),
      weeks !== undefined && el('span', due > done ? 'due' : 'quiet', share),
    ),
    el('div', 'weeks', ...known.map(bar)),
    el('div', 'months quiet', ...known.map((week, n) => month(week, known[n - 1], hasMonthNames))),
  );
}

function bar({ due, done }: WallWeek): HTMLElement {
  if (due === 0) return el('i', 'bar-none');
  const missed = due === done ? 0 : Math.max(LEAST_MISSED, Math.round((100 * (due - done)) / due));
  const doneBar = el('i', 'bar-done');
  const missedBar = el('i', 'bar-missed');
  doneBar.style.height = `${100 - missed}%`;
  missedBar.style.height = `${missed}%`;
  return el('i', '', missed > 0 && missedBar, missed < 100 && doneBar);
}

/** A month has its name below its first week. */
function month({ end }: WallWeek, before: WallWeek | undefined, isWhole: boolean): HTMLElement {
  const isFirst = before !== undefined && before.end.slice(0, 7) !== end.slice(0, 7);
  return el('i', '', isFirst && el('span', '', monthText(end, isWhole)));
}
