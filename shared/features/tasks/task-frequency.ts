import {
  type Basis,
  FREQUENCIES,
  FREQUENCY_SPANS,
  frequencyOf,
  NO_TIME,
  type NthWeekday,
  type Recurrence,
  recurrenceOf,
  roughDays,
  type Span,
} from './task-schedule.ts';

// A frequency as rows, inputs and files carry it: one text, so that an edit compares it like any other field. A named
// frequency is its name. Any other is an ISO 8601 duration, followed after a slash by its rule if that is not the grid of
// the anchor's day: "P14M", "P6M/completion", "P60M/stated", "P1M/first-1" (first Monday), "P3M/last-5" (last Friday).

const UNITS = { D: 'day', W: 'week', M: 'month' } as const;
const PLACES = ['first', 'second', 'third', 'fourth', 'last'] as const;
const NTH = [1, 2, 3, 4, 'last'] as const;

/** The longest interval is ten years. */
const MAX_INTERVAL: Readonly<Record<Span['unit'], number>> = { day: 3_650, week: 520, month: 120 };

/** Parses a span such as "P14M"; undefined for any other text, and for more than ten years. `formatSpan` is the reverse. */
export function parseSpan(text: string): Span | undefined {
  const [, count, letter] = /^P(\d{1,4})([DWM])$/.exec(text) ?? [];
  const unit = UNITS[letter as keyof typeof UNITS];
  if (count === undefined || unit === undefined || Number(count) > MAX_INTERVAL[unit]) return undefined;
  return { count: Number(count), unit };
}
export function formatSpan({ count, unit }: Span): string {
  return `P${count}${unit.charAt(0).toUpperCase()}`;
}

type Rhythm = Pick<Recurrence, 'every' | 'basis' | 'on'>;

/** Parses the text of a frequency; undefined for any other text. */
export function parseFrequency(text: string): Rhythm | undefined {
  const named = FREQUENCIES.find((name) => name === text);
  if (named !== undefined) return { every: FREQUENCY_SPANS[named], basis: 'grid', on: null };
  const [interval = '', rule, ...rest] = text.split('/');
  const every = parseSpan(interval);
  if (every === undefined || every.count === 0 || rest.length > 0) return undefined;
  if (rule === undefined) return { every, basis: 'grid', on: null };
  const basis: Basis | undefined = rule === 'completion' || rule === 'stated' ? rule : undefined;
  if (basis !== undefined) return { every, basis, on: null };
  const [, place, weekday] = /^(first|second|third|fourth|last)-([1-7])$/.exec(rule) ?? [];
  const nth = NTH[PLACES.findIndex((name) => name === place)];
  if (nth === undefined || every.unit !== 'month') return undefined;
  return { every, basis: 'grid', on: { nth, weekday: Number(weekday) } };
}

/** The text of a frequency. If an interval has a name, the text is the name: "monthly", not "P1M". */
export function formatFrequency({ every, basis, on }: Rhythm): string {
  const interval = formatSpan(every);
  if (basis !== 'grid') return `${interval}/${basis}`;
  if (on !== null) return `${interval}/${placeOf(on)}-${on.weekday}`;
  return frequencyOf(every) ?? interval;
}

function placeOf({ nth }: NthWeekday): string {
  return PLACES[NTH.indexOf(nth)] ?? 'last';
}

/** The fields of a task's row that contain its recurrence; `early` is null for the default of the interval. */
export type StoredRecurrence = { frequency: string; early: string | null; grace: string };

/**
 * The recurrence of a stored task.
 * @throws Error for a text that is no frequency; no command stores such a text
 */
export function recurrenceFrom({ frequency, early, grace }: StoredRecurrence): Recurrence {
  const rhythm = parseFrequency(frequency);
  if (rhythm === undefined) throw new Error(`not a frequency: ${frequency}`);
  const { every, ...rest } = rhythm;
  const before = early === null ? undefined : parseSpan(early);
  return recurrenceOf(every, {
    ...rest,
    ...(before === undefined ? {} : { early: before }),
    grace: parseSpan(grace) ?? NO_TIME,
  });
}

/** A recurrence as it is stored. */
export function storedRecurrence(recurrence: Recurrence): StoredRecurrence {
  const usual = recurrenceOf(recurrence.every).early;
  const { early, grace } = recurrence;
  const same = early.count === usual.count && early.unit === usual.unit;
  return {
    frequency: formatFrequency(recurrence),
    early: same ? null : formatSpan(early),
    grace: roughDays(grace) === 0 ? formatSpan(NO_TIME) : formatSpan(grace),
  };
}
