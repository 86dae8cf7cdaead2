import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRecord, type TaskLine } from '#shared/features/tasks/task-record.ts';
import {
  BASES,
  changeRecurrence,
  completeTask,
  isDueThisMonth,
  isDueThisWeek,
  isOverdue,
  markTask,
  meaningOfPickedDay,
  missedOccurrences,
  type NthWeekday,
  newTaskDates,
  type Recurrence,
  recurrenceOf,
  type Span,
  scheduleTask,
  statusOn,
  type TaskDates,
  workingDayBefore,
} from '#shared/features/tasks/task-schedule.ts';

// A second implementation of the rulings, slow and as simple as possible: a day is its number in a list of all days, made
// by counting, and an occurrence is found by trying one after the other. It does not use `dates.ts` or the schedule.

type Civil = { text: string; year: number; month: number; date: number; weekday: number };
const CALENDAR: Civil[] = [];
/** The index in the calendar of the first day of each month since January 1900. */
const MONTHS: number[] = [];
for (let year = 1900, weekday = 1; year < 2300; year += 1) {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  for (const [month, days] of [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].entries()) {
    MONTHS.push(CALENDAR.length);
    for (let date = 1; date <= days; date += 1) {
      const text = [year, month + 1, date].map((part) => String(part).padStart(2, '0')).join('-');
      CALENDAR.push({ text, year, month, date, weekday });
      weekday = (weekday % 7) + 1;
    }
  }
}
const PLACE = new Map(CALENDAR.map(({ text }, place) => [text, place]));
const placeOf = (day: string) => PLACE.get(day) ?? Number.NaN;
const dayAt = (place: number) => CALENDAR[place] as Civil;
const daysLater = (day: string, count: number) => dayAt(placeOf(day) + count).text;
const monthOf = (day: string) => {
  const { year, month } = dayAt(placeOf(day));
  return (year - 1900) * 12 + month;
};
/** The days of a month, by its number since January 1900. */
const daysOf = (month: number) => CALENDAR.slice(MONTHS[month], MONTHS[month + 1]);

function later(day: string, { count, unit }: Span): string {
  if (unit !== 'month') return daysLater(day, unit === 'week' ? count * 7 : count);
  const days = daysOf(monthOf(day) + count);
  return (days.find(({ date }) => date === dayAt(placeOf(day)).date) ?? days.at(-1))?.text ?? '';
}
const times = ({ count, unit }: Span, k: number): Span => ({ count: count * k, unit });

function gridDay({ every, on }: Recurrence, anchor: string, k: number): string {
  const day = later(anchor, times(every, k));
  if (on === null) return day;
  const such = daysOf(monthOf(day)).filter(({ weekday }) => weekday === on.weekday);
  return such.at(on.nth === 'last' ? -1 : on.nth - 1)?.text ?? '';
}
function firstAfter(recurrence: Recurrence, anchor: string, day: string): string {
  let k = 0;
  while (gridDay(recurrence, anchor, k) <= day) k += 1;
  return gridDay(recurrence, anchor, k);
}

function done(dates: TaskDates, recurrence: Recurrence, on: string, stated: string | null): TaskDates {
  const { basis, every, early, grace } = recurrence;
  if (dates.markedOn !== null && on < dates.markedOn) return dates;
  if (dates.completedOn !== null && on < dates.completedOn) return dates;
  if (dates.completedOn === on) return { ...dates, markedOn: null };
  const keeps = basis === 'grid' && later(on, early) >= dates.gridDay;
  let next = later(on, every);
  if (keeps) next = firstAfter(recurrence, dates.anchor, later(on, early));
  else if (basis === 'grid') next = gridDay(recurrence, on, 1);
  else if (basis === 'stated' && stated !== null) next = stated;
  return {
    anchor: keeps ? dates.anchor : on,
    gridDay: next,
    due: next,
    coveredUntil: later(next, grace),
    completedOn: on,
    markedOn: null,
  };
}
const untouched = (day: string): TaskDates => ({
  anchor: day,
  gridDay: day,
  due: day,
  coveredUntil: null,
  completedOn: null,
  markedOn: null,
});

/** The number of grid days after the occurrence, up to the occurrence that the day counts for. */
function missed({ anchor, gridDay: at, due }: TaskDates, recurrence: Recurrence, on: string): number {
  const from = due > at ? due : at;
  let count = 0;
  if (recurrence.basis !== 'grid') {
    while (later(from, times(recurrence.every, count + 1)) <= on) count += 1;
    return count;
  }
  const reached = later(on, recurrence.early);
  for (let k = 0; gridDay(recurrence, anchor, k) <= reached; k += 1) {
    if (gridDay(recurrence, anchor, k) > from) count += 1;
  }
  return count;
}

const counted = (unit: Span['unit'], min: number, max: number) =>
  fc.integer({ min, max }).map((count): Span => ({ count, unit }));
const spans = fc.oneof(
  fc.constantFrom(1, 3, 6, 12, 14, 60).map((count): Span => ({ count, unit: 'month' })),
  fc.constant<Span>({ count: 1, unit: 'week' }),
  counted('day', 1, 400),
  counted('week', 1, 60),
  counted('month', 1, 120),
);
const days = fc.oneof(
  fc.integer({ min: placeOf('1996-01-01'), max: placeOf('2040-12-31') }).map((place) => dayAt(place).text),
  fc.constantFrom('2024-02-29', '2027-01-31', '2026-08-31', '2027-01-30', '2000-02-29', '2026-12-31'),
);
const weekdays = fc.record({
  nth: fc.constantFrom<NthWeekday['nth']>(1, 2, 3, 4, 'last'),
  weekday: fc.integer({ min: 1, max: 7 }),
});
const recurrences = fc
  .record({
    every: spans,
    basis: fc.constantFrom('grid' as const, 'grid' as const, ...BASES),
    on: fc.option(weekdays, { freq: 3 }),
    early: fc.option(fc.oneof(counted('day', 0, 20), counted('month', 1, 2)), { freq: 4 }),
    grace: fc.oneof(counted('day', 0, 30), counted('month', 0, 2)),
  })
  .map(({ every, basis, on, early, grace }) =>
    recurrenceOf(every, {
      basis,
      grace,
      on: every.unit === 'month' && basis === 'grid' ? on : null,
      ...(early === null ? {} : { early }),
    }),
  );
const near = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -70, max: 70 }) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 71, max: 3_000 }) },
);
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ what: fc.constant('complete' as const), after: near, runs: near }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('schedule' as const), after: near }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('mark' as const), after: near }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('change' as const), to: recurrences }) },
  ),
  { minLength: 3, maxLength: 20 },
);

test('two reckonings of the rulings agree over any life of a task, and the record with both', () => {
  fc.assert(
    fc.property(
      recurrences,
      days,
      fc.option(fc.integer({ min: 0, max: 3_000 })),
      steps,
      near,
      (first, createdOn, ago, life, shift) => {
        let recurrence = first;
        let stated: string | null = null;
        const lastDone = ago === null ? null : daysLater(createdOn, -ago);
        const lines: TaskLine[] = [
          { id: 'c', kind: 'created', day: createdOn, recurrence, lastDone, stated: null },
        ];
        let told = newTaskDates(recurrence, { createdOn, lastDone });
        let dates =
          lastDone === null ? untouched(createdOn) : done(untouched(lastDone), recurrence, lastDone, null);
        expect(told).toEqual(dates);

        for (const [n, step] of life.entries()) {
          const id = String(n);
          if (step.what === 'change') {
            recurrence = step.to;
            lines.push({ id, kind: 'changed', recurrence });
            told = changeRecurrence(told, recurrence, stated);
            const { completedOn: on, markedOn } = dates;
            if (on !== null) dates = { ...done(untouched(on), recurrence, on, stated), markedOn };
          } else {
            const day = daysLater(dates.due, step.after);
            if (step.what === 'complete') {
              const certificate = step.runs > 0 ? daysLater(day, step.runs) : null;
              expect(missedOccurrences(told, recurrence, day)).toBe(missed(dates, recurrence, day));
              lines.push({ id, kind: 'completed', day, stated: certificate });
              told = completeTask(told, recurrence, { on: day, stated: certificate });
              const after = done(dates, recurrence, day, certificate);
              if (after !== dates) stated = certificate;
              dates = after;
            } else if (step.what === 'schedule') {
              lines.push({ id, kind: 'scheduled', gridDay: dates.gridDay, due: day });
              told = scheduleTask(told, day);
              dates = { ...dates, due: day };
            } else {
              lines.push({ id, kind: 'marked', day });
              told = markTask(told, day);
              dates = { ...dates, markedOn: day };
            }
          }
          expect([step, told]).toEqual([step, dates]);

          const today = daysLater(dates.due, shift);
          const { due, coveredUntil, markedOn } = dates;
          const compliant = coveredUntil !== null && markedOn === null && today <= coveredUntil;
          expect(statusOn(told, today)).toBe(compliant ? 'compliant' : 'non-compliant');
          expect(isOverdue(told, today)).toBe(!compliant && placeOf(today) > placeOf(due));
          expect(isDueThisWeek(told, today)).toBe(due >= today && placeOf(due) - placeOf(today) <= 7);
          expect(isDueThisMonth(told, today)).toBe(
            due >= today && due <= later(today, { count: 1, unit: 'month' }),
          );
          const completes = !compliant || later(today, recurrence.early) >= dates.gridDay;
          expect(meaningOfPickedDay(told, recurrence, today, today)).toBe(
            completes ? 'completes' : 'corrects',
          );
        }
        expect(readRecord(lines).dates).toEqual(dates);
      },
    ),
    { numRuns: 400 },
  );
}, 60_000);

test('a booking moves back over weekends and holidays, one day after the other', () => {
  const working = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
  fc.assert(
    fc.property(days, working, fc.array(fc.integer({ min: 0, max: 20 })), (day, workingDays, holidays) => {
      const closed = new Set(holidays.map((ago) => daysLater(day, -ago)));
      const open = (place: number) =>
        workingDays.includes(dayAt(place).weekday) && !closed.has(dayAt(place).text);
      let place = placeOf(day);
      while (!open(place)) place -= 1;
      expect(workingDayBefore(day, { workingDays, holidays: closed })).toBe(dayAt(place).text);
    }),
    { numRuns: 200 },
  );
});
