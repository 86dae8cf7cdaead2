import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { addDays, addMonths, daysBetween, daysInMonth, formatDay, weekdayOf } from '#shared/dates.ts';
import { IconButton } from '../buttons/icon-button.tsx';
import { cx } from '../cx.ts';

export type CalendarProps = {
  /** The accessible name. */
  label: string;
  /** The chosen day, "2026-11-20"; null if there is none. */
  value: string | null;
  today: string;
  /** The first and last day that can be chosen. */
  min: string;
  max: string;
  onChoose: (day: string) => void;
  /** The text under the days that describes the effect of choosing a day. */
  describe?: (day: string) => string;
};

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/**
 * The days of a month, of which one can be chosen. Arrow keys move by days and weeks, Page Up and Down by months, with
 * Shift by years.
 */
export default function Calendar({ label, value, today, min, max, onChoose, describe }: CalendarProps) {
  const within = (day: string) => (day < min ? min : day > max ? max : day);
  const [at, setAt] = useState(() => within(value ?? today));
  const [pointed, setPointed] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  const first = `${at.slice(0, 8)}01`;
  const last = addDays(first, daysInMonth(first) - 1);

  useEffect(() => root.current?.scrollIntoView({ block: 'nearest' }), []);
  // The focus follows the keys, and goes to a day when the calendar opens.
  useEffect(() => {
    root.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus({ preventScroll: true });
  }, [at]);

  function onKeyDown(event: KeyboardEvent) {
    const to = target(event, at);
    if (to === undefined) return;
    event.preventDefault();
    setAt(within(to));
  }
  const move = (months: number) => setAt(within(addMonths(at, months)));

  return (
    <div ref={root} className="grid scroll-mb-4 gap-2 p-3">
      <div className="flex items-center">
        <IconButton label="Previous year" disabled={first <= min} onClick={() => move(-12)}>
          <ChevronsLeft size={16} aria-hidden />
        </IconButton>
        <IconButton label="Previous month" disabled={first <= min} onClick={() => move(-1)}>
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <p className="flex-1 text-center font-semibold text-ink" aria-live="polite">
          {monthOf(at)}
        </p>
        <IconButton label="Next month" disabled={last >= max} onClick={() => move(1)}>
          <ChevronRight size={16} aria-hidden />
        </IconButton>
        <IconButton label="Next year" disabled={last >= max} onClick={() => move(12)}>
          <ChevronsRight size={16} aria-hidden />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a date picker */}
      <table role="grid" aria-label={label} onKeyDown={onKeyDown} className="mx-auto">
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th
                key={name}
                scope="col"
                abbr={name}
                className="h-7 text-center font-medium text-ink-2 text-xs"
              >
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onPointerLeave={() => setPointed(undefined)}>
          {weeksOf(first, last).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0">
                  {day >= first && day <= last && (
                    <button
                      type="button"
                      data-day={day}
                      tabIndex={day === at ? 0 : -1}
                      aria-label={formatDay(day)}
                      aria-pressed={day === value}
                      aria-current={day === today ? 'date' : undefined}
                      disabled={day < min || day > max}
                      onClick={() => onChoose(day)}
                      onPointerEnter={() => setPointed(day)}
                      className={cx(
                        'grid size-9 place-items-center rounded-control text-base tabular-nums disabled:text-ink-3 disabled:opacity-55 pointer-coarse:size-12 pointer-coarse:text-md',
                        day === value ? 'bg-brand font-semibold text-on-brand' : 'enabled:hover:bg-mute',
                        day === today && day !== value && 'font-semibold text-brand',
                      )}
                    >
                      {Number(day.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {describe !== undefined && (
        <p aria-live="polite" className="min-h-10 max-w-72 px-1 text-ink-2 text-sm">
          {describe(pointed ?? at)}
        </p>
      )}
    </div>
  );
}

function target({ key, shiftKey }: KeyboardEvent, at: string): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(at, -1);
    case 'ArrowRight':
      return addDays(at, 1);
    case 'ArrowUp':
      return addDays(at, -7);
    case 'ArrowDown':
      return addDays(at, 7);
    case 'Home':
      return addDays(at, 1 - weekdayOf(at));
    case 'End':
      return addDays(at, 7 - weekdayOf(at));
    case 'PageUp':
      return addMonths(at, shiftKey ? -12 : -1);
    case 'PageDown':
      return addMonths(at, shiftKey ? 12 : 1);
    default:
      return undefined;
  }
}

/** "Nov 2026". */
function monthOf(day: string): string {
  return formatDay(day).replace(/ \d+,/, '');
}

/** The whole weeks, Monday first, that contain the days of a month. */
function weeksOf(first: string, last: string): string[][] {
  const start = addDays(first, 1 - weekdayOf(first));
  const weeks = Math.ceil((daysBetween(start, last) + 1) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_day, day) => addDays(start, week * 7 + day)),
  );
}
