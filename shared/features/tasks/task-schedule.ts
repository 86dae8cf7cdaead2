import { addDays, addMonths, daysBetween, daysInMonth, isDay, weekdayOf } from '../../dates.ts';

// The arithmetic of compliance tasks: when a task falls due again, and what its status is on a day.
//
// Parameters and results are calendar days ("2026-11-20"); no function reads a clock or a time zone. "Today" is the day in
// the organisation's time zone, `dayOf(now, timeZone)` of `dates.ts`, so a day of 23 or 25 hours needs no special treatment.
// A task has two dates: `due`, the day of the present occurrence, which Schedule moves, and `coveredUntil`, the last day
// for which a completion is valid. `task-record.ts` decides which completions and marks are in force.
//
// `recurrenceOf`, and the functions that give a task new dates, throw a RangeError for an invalid interval or day
// ("2027-02-30"). The functions that judge a task on a day do not check the days that they compare. `isCompletionDay` and
// `isScheduleDay` say which days people may choose.

/** A calendar date, "2026-11-20". */
export type Day = string;

/** A length of time on the calendar. A month keeps the day of the month, clamped to the month's end. */
export type Span = { count: number; unit: 'day' | 'week' | 'month' };

/** The frequencies with a name, in the order of the form; "biannually" is every six months. */
export const FREQUENCIES = ['weekly', 'monthly', 'quarterly', 'annually', 'biannually'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const FREQUENCY_SPANS: Readonly<Record<Frequency, Span>> = {
  weekly: { count: 1, unit: 'week' },
  monthly: { count: 1, unit: 'month' },
  quarterly: { count: 3, unit: 'month' },
  annually: { count: 12, unit: 'month' },
  biannually: { count: 6, unit: 'month' },
};

/**
 * The rule for the next occurrence after a completion. `grid`: the next of the days that the anchor sets, so a completion
 * that is a little early or late does not move the later occurrences. `completion`: one interval after the completion.
 * `stated`: the date that the certificate states.
 */
export const BASES = ['grid', 'completion', 'stated'] as const;
export type Basis = (typeof BASES)[number];

/** A weekday of a month: the first Monday is `{ nth: 1, weekday: 1 }`, the last Friday `{ nth: 'last', weekday: 5 }`. */
export type NthWeekday = { nth: 1 | 2 | 3 | 4 | 'last'; weekday: number };

export type Recurrence = {
  every: Span;
  basis: Basis;
  /** Only for a grid of months: the grid has this weekday of each month instead of the anchor's day of the month. */
  on: NthWeekday | null;
  /** The time before an occurrence's grid day in which a completion already counts for that occurrence. */
  early: Span;
  /** The time after the next due day for which a completion still covers the task. */
  grace: Span;
};

/** The dates of a task that result from its record. */
export type TaskDates = {
  /** The day from which all grid days are computed. */
  anchor: Day;
  /** The present occurrence's own day; Schedule never moves it. */
  gridDay: Day;
  /** The day by which the task is to be done next. */
  due: Day;
  /** The last day for which a completion is valid; null if there is no completion. */
  coveredUntil: Day | null;
  /** The day of the last completion in force. */
  completedOn: Day | null;
  /** The day of the mark of non-compliance in force. */
  markedOn: Day | null;
};

export const NO_TIME: Span = { count: 0, unit: 'day' };

/**
 * The recurrence of a frequency, or of any interval. Defaults: by grid, with the usual `early` and no grace.
 * @throws RangeError unless the interval is at least one whole day, week or month, `early` and grace are whole and not
 *   negative, and a weekday is from 1 (Monday) to 7
 */
export function recurrenceOf(
  every: Frequency | Span,
  options: Partial<Omit<Recurrence, 'every'>> = {},
): Recurrence {
  const span = typeof every === 'string' ? FREQUENCY_SPANS[every] : every;
  const made: Recurrence = {
    every: span,
    basis: 'grid',
    on: null,
    early: earlyOf(span),
    grace: NO_TIME,
    ...options,
  };
  const { early, grace, on } = made;
  const counts = [span.count - 1, early.count, grace.count, ...(on === null ? [] : [on.weekday - 1])];
  if (!counts.every((count) => Number.isInteger(count) && count >= 0) || (on !== null && on.weekday > 7)) {
    throw new RangeError(`not a recurrence: ${JSON.stringify(made)}`);
  }
  return made;
}

/** @throws RangeError for a text that is no calendar date */
function assertDay(day: Day): void {
  if (!isDay(day)) throw new RangeError(`not a calendar date: ${day}`);
}

/** The named frequency of an interval; undefined for any other interval. */
export function frequencyOf(every: Span): Frequency | undefined {
  return FREQUENCIES.find((name) => {
    const { count, unit } = FREQUENCY_SPANS[name];
    return unit === every.unit && count === every.count;
  });
}

/** For comparing intervals of different units alone; a month has 30 days here, so that 90 days are a quarter. */
const DAYS_IN: Readonly<Record<Span['unit'], number>> = { day: 1, week: 7, month: 30 };

// The longest first.
const EARLY: readonly (readonly [from: Frequency, early: Span])[] = [
  ['annually', { count: 1, unit: 'month' }],
  ['biannually', { count: 1, unit: 'month' }],
  ['quarterly', { count: 14, unit: 'day' }],
  ['monthly', { count: 7, unit: 'day' }],
  ['weekly', { count: 3, unit: 'day' }],
];

/**
 * How long before its day an occurrence may be done: weekly 3 days, monthly 7, quarterly 14, every six months and
 * annually 1 month. Any other interval has the value of the longest named interval that is not longer; below a week it is 0.
 */
export function earlyOf(every: Span): Span {
  const days = roughDays(every);
  return EARLY.find(([name]) => roughDays(FREQUENCY_SPANS[name]) <= days)?.[1] ?? NO_TIME;
}

/** The length of a span in days, with months of 30 days: for comparing spans, never for computing dates. */
export function roughDays({ count, unit }: Span): number {
  return count * DAYS_IN[unit];
}

/** The day that is `times` spans after a day. Months are added in one step, so that 31 January plus two months is 31 March. */
export function addSpan(day: Day, { count, unit }: Span, times = 1): Day {
  switch (unit) {
    case 'day':
      return addDays(day, count * times);
    case 'week':
      return addDays(day, count * times * 7);
    case 'month':
      return addMonths(day, count * times);
  }
}

/** Grid day number `k` of an anchor, counted from 0. Always computed from the anchor, not from the grid day before. */
export function gridDayAt({ every, on }: Recurrence, anchor: Day, k: number): Day {
  const day = addSpan(anchor, every, k);
  return on === null || every.unit !== 'month' ? day : nthWeekdayOf(day, on);
}

/** The first grid day after a day, from the anchor's month on. */
export function firstGridDayAfter(recurrence: Recurrence, anchor: Day, after: Day): Day {
  const { every } = recurrence;
  const whole =
    every.unit === 'month'
      ? Math.floor(monthsBetween(anchor, after) / every.count)
      : Math.floor(daysBetween(anchor, after) / roughDays(every));
  let k = Math.max(0, whole);
  while (gridDayAt(recurrence, anchor, k) <= after) k += 1;
  return gridDayAt(recurrence, anchor, k);
}

/** The given weekday in the month of a day. */
function nthWeekdayOf(day: Day, { nth, weekday }: NthWeekday): Day {
  const first = `${day.slice(0, 8)}01`;
  if (nth === 'last') {
    const end = addDays(first, daysInMonth(first) - 1);
    return addDays(end, -((weekdayOf(end) - weekday + 7) % 7));
  }
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7);
}

function monthsBetween(from: Day, to: Day): number {
  const months = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(to) - months(from);
}

/**
 * The next occurrence after a completion, and the anchor of the grid from then on. On a grid: if the completion is no
 * earlier than `early` before the occurrence's grid day, the next occurrence is on the first grid day after the completion
 * plus `early`. If it is earlier, the grid restarts at the completion, and the next occurrence is one interval after it.
 * @param done.stated the date on the certificate, for the basis `stated`; without one the interval counts
 * @throws RangeError for a day that is no calendar date
 */
export function nextOccurrence(
  recurrence: Recurrence,
  { anchor, gridDay }: Pick<TaskDates, 'anchor' | 'gridDay'>,
  done: { on: Day; stated?: Day | null | undefined },
): { anchor: Day; gridDay: Day } {
  const { every, basis, early } = recurrence;
  assertDay(done.on);
  if (done.stated != null) assertDay(done.stated);
  if (basis === 'stated' && done.stated != null) return { anchor: done.on, gridDay: done.stated };
  const reached = addSpan(done.on, early);
  if (basis === 'grid' && reached >= gridDay) {
    return { anchor, gridDay: firstGridDayAfter(recurrence, anchor, reached) };
  }
  return {
    anchor: done.on,
    gridDay: basis === 'grid' ? gridDayAt(recurrence, done.on, 1) : addSpan(done.on, every),
  };
}

/**
 * The dates of a new task: due on the day of its creation, and not covered. With the day on which it was last done, it
 * is due one occurrence after that day, however long ago that is.
 * @throws RangeError for a day that is no calendar date
 */
export function newTaskDates(
  recurrence: Recurrence,
  {
    createdOn,
    lastDone,
    stated,
  }: { createdOn: Day; lastDone?: Day | null | undefined; stated?: Day | null | undefined },
): TaskDates {
  const anchor = lastDone ?? createdOn;
  assertDay(createdOn);
  const first: TaskDates = {
    anchor,
    gridDay: anchor,
    due: anchor,
    coveredUntil: null,
    completedOn: null,
    markedOn: null,
  };
  return lastDone == null ? first : completeTask(first, recurrence, { on: lastDone, stated });
}

/**
 * The dates after a completion. A completion that is dated on or after a mark of non-compliance ends the mark. A completion
 * that is dated before the mark, or before the last completion, changes no date: the same object is returned.
 * @throws RangeError for a day that is no calendar date
 */
export function completeTask(
  dates: TaskDates,
  recurrence: Recurrence,
  done: { on: Day; stated?: Day | null | undefined },
): TaskDates {
  const { completedOn, markedOn } = dates;
  assertDay(done.on);
  if (markedOn !== null && done.on < markedOn) return dates;
  if (completedOn !== null && done.on < completedOn) return dates;
  // A second completion on the same day only ends a mark.
  if (completedOn === done.on) return { ...dates, markedOn: null };
  return {
    ...datesAt(recurrence, nextOccurrence(recurrence, dates, done)),
    completedOn: done.on,
    markedOn: null,
  };
}

function datesAt(
  { grace }: Recurrence,
  { anchor, gridDay }: { anchor: Day; gridDay: Day },
): Pick<TaskDates, 'anchor' | 'gridDay' | 'due' | 'coveredUntil'> {
  return { anchor, gridDay, due: gridDay, coveredUntil: addSpan(gridDay, grace) };
}

/**
 * The number of occurrences that are missed if a task is done on a day: all before the occurrence for which that day counts.
 * 0 if the day counts for the present occurrence, early or late. An occurrence that Schedule moved is not missed before its
 * new day.
 */
export function missedOccurrences(
  { anchor, gridDay, due }: Pick<TaskDates, 'anchor' | 'gridDay' | 'due'>,
  recurrence: Recurrence,
  on: Day,
): number {
  const { every, basis, early } = recurrence;
  const from = due > gridDay ? due : gridDay;
  const reached = basis === 'grid' ? addSpan(on, early) : on;
  const nextAfter = (day: Day, n: number) =>
    basis === 'grid' ? firstGridDayAfter(recurrence, anchor, day) : addSpan(from, every, n);
  let missed = 0;
  for (let day = nextAfter(from, 1); day <= reached; day = nextAfter(day, missed + 1)) missed += 1;
  return missed;
}

/**
 * The dates after Schedule: only the present occurrence moves, not the grid and not the cover.
 * @throws RangeError for a day that is no calendar date
 */
export function scheduleTask(dates: TaskDates, due: Day): TaskDates {
  assertDay(due);
  return { ...dates, due };
}

/**
 * The dates after a mark of non-compliance.
 * @throws RangeError for a day that is no calendar date
 */
export function markTask(dates: TaskDates, markedOn: Day): TaskDates {
  assertDay(markedOn);
  return { ...dates, markedOn };
}

/**
 * The dates after a change of frequency: computed from the last completion, which becomes the anchor. If the task was
 * never done, the dates do not change.
 */
export function changeRecurrence(dates: TaskDates, recurrence: Recurrence, stated?: Day | null): TaskDates {
  const { completedOn, markedOn } = dates;
  if (completedOn === null) return dates;
  return { ...newTaskDates(recurrence, { createdOn: completedOn, lastDone: completedOn, stated }), markedOn };
}

export const TASK_STATUSES = ['compliant', 'non-compliant'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The dates by which a task is judged on a day. */
export type JudgedDates = Pick<TaskDates, 'due' | 'coveredUntil' | 'markedOn'>;

/** Compliant: a completion covers the day, and no mark of non-compliance is in force. */
export function statusOn({ coveredUntil, markedOn }: JudgedDates, today: Day): TaskStatus {
  return coveredUntil !== null && markedOn === null && today <= coveredUntil ? 'compliant' : 'non-compliant';
}

/** Overdue: non-compliant, and its due day is over. */
export function isOverdue(task: JudgedDates, today: Day): boolean {
  return statusOn(task, today) === 'non-compliant' && today > task.due;
}

/** Due This Week: due today or on one of the next seven days, whatever the status. */
export function isDueThisWeek({ due }: Pick<TaskDates, 'due'>, today: Day): boolean {
  return today <= due && due <= addDays(today, 7);
}

/** Due from today to the same day of the next month, both included. */
export function isDueThisMonth({ due }: Pick<TaskDates, 'due'>, today: Day): boolean {
  return today <= due && due <= addMonths(today, 1);
}

/** The figures of the summary cards. */
export type TaskSummary = { compliant: number; nonCompliant: number; overdue: number; dueThisWeek: number };

/** The summary of tasks on a day. The caller must leave out retired tasks. */
export function summariseTasks(tasks: Iterable<JudgedDates>, today: Day): TaskSummary {
  const summary = { compliant: 0, nonCompliant: 0, overdue: 0, dueThisWeek: 0 };
  for (const task of tasks) {
    summary[statusOn(task, today) === 'compliant' ? 'compliant' : 'nonCompliant'] += 1;
    if (isOverdue(task, today)) summary.overdue += 1;
    if (isDueThisWeek(task, today)) summary.dueThisWeek += 1;
  }
  return summary;
}

/** The compliant part in whole per cent, rounded down, so that 100 means all; null if there are no tasks. */
export function compliantPercent({ compliant, nonCompliant }: TaskSummary): number | null {
  const all = compliant + nonCompliant;
  return all === 0 ? null : Math.floor((compliant * 100) / all);
}

/** A completion may be dated from 30 years back to today. */
export function isCompletionDay(day: Day, today: Day): boolean {
  return addMonths(today, -12 * 30) <= day && day <= today;
}

/** A task may be scheduled from today to ten years ahead. */
export function isScheduleDay(day: Day, today: Day): boolean {
  return today <= day && day <= addMonths(today, 12 * 10);
}

/**
 * The meaning of a day that is picked in the calendar of Last Completed. It completes the present occurrence if the task is
 * non-compliant, or if the day is no earlier than `early` before the grid day; otherwise it corrects the day of the last
 * completion.
 */
export function meaningOfPickedDay(
  task: TaskDates,
  { early }: Recurrence,
  picked: Day,
  today: Day,
): 'completes' | 'corrects' {
  const completes = statusOn(task, today) === 'non-compliant' || addSpan(picked, early) >= task.gridDay;
  return completes ? 'completes' : 'corrects';
}

/**
 * The last working day on or before a day, to which a booking may be moved from a bank holiday. A statutory day never
 * moves, so no date of a task is passed to this function automatically.
 * @param calendar.workingDays ISO weekdays; at least one
 */
export function workingDayBefore(
  day: Day,
  { workingDays, holidays }: { workingDays: readonly number[]; holidays: ReadonlySet<string> },
): Day {
  if (workingDays.length === 0) throw new RangeError('no weekday is a working day');
  let found = day;
  while (!workingDays.includes(weekdayOf(found)) || holidays.has(found)) found = addDays(found, -1);
  return found;
}
