import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, addMonths, dayOf, daysBetween, daysInMonth, startOfDay, weekdayOf } from '#shared/dates.ts';
import {
  addSpan,
  changeRecurrence,
  completeTask,
  compliantPercent,
  earlyOf,
  FREQUENCIES,
  FREQUENCY_SPANS,
  firstGridDayAfter,
  frequencyOf,
  gridDayAt,
  isCompletionDay,
  isDueThisMonth,
  isDueThisWeek,
  isOverdue,
  isScheduleDay,
  markTask,
  meaningOfPickedDay,
  missedOccurrences,
  newTaskDates,
  nextOccurrence,
  type Recurrence,
  recurrenceOf,
  roughDays,
  type Span,
  scheduleTask,
  statusOn,
  summariseTasks,
  type TaskDates,
  workingDayBefore,
} from '#shared/features/tasks/task-schedule.ts';

const weekly = recurrenceOf('weekly');
const monthly = recurrenceOf('monthly');
const annually = recurrenceOf('annually');

/** A task whose present occurrence is on a grid day, and which was never completed. */
function dueOn(day: string): TaskDates {
  return { anchor: day, gridDay: day, due: day, coveredUntil: null, completedOn: null, markedOn: null };
}

/** The dates after completing each occurrence on its due day, `count` times. */
function doneOnTime(recurrence: Recurrence, from: TaskDates, count: number): string[] {
  const dues: string[] = [];
  let dates = from;
  for (let n = 0; n < count; n += 1) {
    dates = completeTask(dates, recurrence, { on: dates.due });
    dues.push(dates.due);
  }
  return dues;
}

describe('the next occurrence', () => {
  test.for([
    ['weekly, done on the day', weekly, '2026-11-20', '2026-11-20', '2026-11-27'],
    ['weekly, done two days early', weekly, '2026-11-20', '2026-11-18', '2026-11-27'],
    ['weekly, done three days early', weekly, '2026-11-20', '2026-11-17', '2026-11-27'],
    ['weekly, done four days early: the grid begins anew', weekly, '2026-11-20', '2026-11-16', '2026-11-23'],
    ['weekly, three days late', weekly, '2026-11-20', '2026-11-23', '2026-11-27'],
    ['weekly, four days late, so early for the next', weekly, '2026-11-20', '2026-11-24', '2026-12-04'],
    ['monthly, seven days early', monthly, '2027-01-31', '2027-01-24', '2027-02-28'],
    ['monthly, eight days early', monthly, '2027-01-31', '2027-01-23', '2027-02-23'],
    ['quarterly, 14 days early', recurrenceOf('quarterly'), '2026-11-30', '2026-11-16', '2027-02-28'],
    ['biannually, a month early', recurrenceOf('biannually'), '2026-08-31', '2026-07-31', '2027-02-28'],
    ['annually, at Christmas: a bank holiday is kept', annually, '2025-12-25', '2025-12-22', '2026-12-25'],
    ['annually, from a leap day', annually, '2024-02-29', '2024-02-29', '2025-02-28'],
    [
      'gas: two months early keep the date',
      recurrenceOf('annually', { early: { count: 2, unit: 'month' } }),
      '2026-11-20',
      '2026-09-20',
      '2027-11-20',
    ],
    [
      'from completion, done late',
      recurrenceOf('biannually', { basis: 'completion' }),
      '2026-11-20',
      '2026-12-01',
      '2027-06-01',
    ],
    [
      'from completion, done early',
      recurrenceOf('biannually', { basis: 'completion' }),
      '2026-11-20',
      '2026-11-19',
      '2027-05-19',
    ],
    ['every 10 days', recurrenceOf({ count: 10, unit: 'day' }), '2026-11-20', '2026-11-21', '2026-11-30'],
    ['every 14 months', recurrenceOf({ count: 14, unit: 'month' }), '2026-11-20', '2026-11-01', '2028-01-20'],
    ['every day, done', recurrenceOf({ count: 1, unit: 'day' }), '2026-11-20', '2026-11-20', '2026-11-21'],
  ] as const)('%s', ([, recurrence, due, on, next]) => {
    expect(completeTask(dueOn(due), recurrence, { on })).toMatchObject({
      gridDay: next,
      due: next,
      coveredUntil: next,
      completedOn: on,
    });
  });

  test.for([
    [
      'monthly from the 31st keeps the 31st where there is one',
      monthly,
      '2027-01-31',
      ['2027-02-28', '2027-03-31', '2027-04-30'],
    ],
    [
      'annually from a leap day comes back to it',
      annually,
      '2024-02-29',
      ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [
      'first Monday',
      recurrenceOf('monthly', { on: { nth: 1, weekday: 1 } }),
      '2026-11-22',
      ['2026-12-07', '2027-01-04', '2027-02-01', '2027-03-01'],
    ],
    [
      'last Friday',
      recurrenceOf('monthly', { on: { nth: 'last', weekday: 5 } }),
      '2026-10-30',
      ['2026-11-27', '2026-12-25', '2027-01-29'],
    ],
    [
      'fourth Thursday of every third month',
      recurrenceOf('quarterly', { on: { nth: 4, weekday: 4 } }),
      '2026-11-26',
      ['2027-02-25', '2027-05-27', '2027-08-26'],
    ],
    ['weekly over the change to summer time', weekly, '2027-03-21', ['2027-03-28', '2027-04-04']],
  ] as const)('%s', ([, recurrence, from, dues]) => {
    expect(doneOnTime(recurrence, dueOn(from), dues.length)).toEqual(dues);
  });

  test('a grid that begins anew has the day of the completion, even where the month is too short for it', () => {
    const anew = nextOccurrence(monthly, dueOn('2027-02-28'), { on: '2027-01-31' });
    expect(anew).toEqual({ anchor: '2027-01-31', gridDay: '2027-02-28' });
    expect(firstGridDayAfter(monthly, anew.anchor, '2027-02-28')).toBe('2027-03-31');
  });

  test('is the date that the certificate states, and without one an interval after it', () => {
    const stated = recurrenceOf({ count: 60, unit: 'month' }, { basis: 'stated' });
    expect(
      completeTask(dueOn('2026-11-20'), stated, { on: '2026-11-18', stated: '2029-11-17' }),
    ).toMatchObject({ due: '2029-11-17', coveredUntil: '2029-11-17' });
    expect(completeTask(dueOn('2026-11-20'), stated, { on: '2026-11-18' }).due).toBe('2031-11-18');
  });

  test('covers for the grace after the due day, and no longer', () => {
    const service = recurrenceOf('biannually', { grace: { count: 1, unit: 'month' } });
    const done = completeTask(dueOn('2026-11-20'), service, { on: '2026-11-20' });
    expect(done).toMatchObject({ due: '2027-05-20', coveredUntil: '2027-06-20' });
    expect([statusOn(done, '2027-06-20'), isOverdue(done, '2027-06-20')]).toEqual(['compliant', false]);
    expect([statusOn(done, '2027-06-21'), isOverdue(done, '2027-06-21')]).toEqual(['non-compliant', true]);
  });

  test('`early` counts from the grid day, not from a scheduled date', () => {
    const moved = scheduleTask(dueOn('2026-11-20'), '2026-12-18');
    expect(completeTask(moved, weekly, { on: '2026-11-18' })).toMatchObject({
      anchor: '2026-11-20',
      due: '2026-11-27',
    });
  });
});

describe('`early`', () => {
  test.for([
    [
      { count: 1, unit: 'week' },
      { count: 3, unit: 'day' },
    ],
    [
      { count: 1, unit: 'month' },
      { count: 7, unit: 'day' },
    ],
    [
      { count: 3, unit: 'month' },
      { count: 14, unit: 'day' },
    ],
    [
      { count: 6, unit: 'month' },
      { count: 1, unit: 'month' },
    ],
    [
      { count: 12, unit: 'month' },
      { count: 1, unit: 'month' },
    ],
    [
      { count: 60, unit: 'month' },
      { count: 1, unit: 'month' },
    ],
    [
      { count: 6, unit: 'day' },
      { count: 0, unit: 'day' },
    ],
    [
      { count: 14, unit: 'day' },
      { count: 3, unit: 'day' },
    ],
    [
      { count: 4, unit: 'week' },
      { count: 3, unit: 'day' },
    ],
    [
      { count: 2, unit: 'month' },
      { count: 7, unit: 'day' },
    ],
    [
      { count: 90, unit: 'day' },
      { count: 14, unit: 'day' },
    ],
    [
      { count: 14, unit: 'month' },
      { count: 1, unit: 'month' },
    ],
  ] as const)('of %j is %j', ([every, early]) => {
    expect(earlyOf(every)).toEqual(early);
  });

  test('a frequency is known by its interval', () => {
    for (const name of FREQUENCIES) expect(frequencyOf(FREQUENCY_SPANS[name])).toBe(name);
    expect(frequencyOf({ count: 14, unit: 'month' })).toBeUndefined();
  });
});

describe('the status of a day', () => {
  test('the summary counts each card by its own rule, and cuts the percentage down', () => {
    const today = '2026-11-22';
    const covered = { ...dueOn('2026-11-27'), coveredUntil: '2026-11-27', completedOn: '2026-11-20' };
    const tasks = [
      covered,
      newTaskDates(weekly, { createdOn: today }),
      dueOn('2026-11-21'),
      { ...covered, due: '2026-11-30', coveredUntil: '2026-11-30' },
      markTask({ ...covered, due: '2027-01-10', coveredUntil: '2027-01-10' }, today),
      scheduleTask({ ...covered, due: '2026-11-20', coveredUntil: '2026-11-20' }, '2026-11-24'),
    ];
    const summary = summariseTasks(tasks, today);
    expect(summary).toEqual({ compliant: 2, nonCompliant: 4, overdue: 1, dueThisWeek: 3 });
    expect(compliantPercent(summary)).toBe(33);
    expect(compliantPercent({ ...summary, compliant: 999, nonCompliant: 1 })).toBe(99);
    expect(compliantPercent({ ...summary, compliant: 7, nonCompliant: 0 })).toBe(100);
    expect(compliantPercent(summariseTasks([], today))).toBeNull();
  });

  test('a new task is non-compliant and due today, and overdue from midnight', () => {
    const task = newTaskDates(weekly, { createdOn: '2026-11-22' });
    expect([
      statusOn(task, '2026-11-22'),
      isOverdue(task, '2026-11-22'),
      isDueThisWeek(task, '2026-11-22'),
    ]).toEqual(['non-compliant', false, true]);
    expect([isOverdue(task, '2026-11-23'), isDueThisWeek(task, '2026-11-23')]).toEqual([true, false]);
  });

  test('a task with a last-done date is due one interval after it, however long ago', () => {
    const task = newTaskDates(annually, { createdOn: '2026-11-22', lastDone: '2024-03-05' });
    expect(task).toEqual({
      anchor: '2024-03-05',
      gridDay: '2025-03-05',
      due: '2025-03-05',
      coveredUntil: '2025-03-05',
      completedOn: '2024-03-05',
      markedOn: null,
    });
    expect(isOverdue(task, '2026-11-22')).toBe(true);
  });

  test('scheduling a lapsed task forward does not make it compliant', () => {
    const lapsed = newTaskDates(weekly, { createdOn: '2026-11-22', lastDone: '2026-11-01' });
    const moved = scheduleTask(lapsed, '2026-12-24');
    expect([statusOn(moved, '2026-11-22'), isOverdue(moved, '2026-11-22')]).toEqual(['non-compliant', false]);
  });

  test('a mark stands until a completion that is dated on or after it', () => {
    const done = completeTask(dueOn('2026-11-20'), weekly, { on: '2026-11-20' });
    const marked = markTask(done, '2026-11-22');
    expect(statusOn(marked, '2026-11-22')).toBe('non-compliant');
    // An earlier completion is only added to the history.
    expect(completeTask(marked, weekly, { on: '2026-11-21' })).toEqual(marked);
    expect(completeTask(marked, weekly, { on: '2026-11-22' })).toMatchObject({
      markedOn: null,
      completedOn: '2026-11-22',
    });
  });

  test('a completion before the last one is history only, and the same day twice is once', () => {
    const done = completeTask(dueOn('2027-01-31'), monthly, { on: '2027-01-25' });
    expect(completeTask(done, monthly, { on: '2027-01-24' })).toEqual(done);
    expect(completeTask(done, monthly, { on: '2027-01-25' })).toEqual(done);
  });

  test('a changed frequency is reckoned from the last completion; without one nothing moves', () => {
    const done = completeTask(dueOn('2026-11-20'), weekly, { on: '2026-11-18' });
    expect(changeRecurrence(done, monthly)).toMatchObject({ anchor: '2026-11-18', due: '2026-12-18' });
    expect(changeRecurrence(markTask(done, '2026-11-19'), monthly).markedOn).toBe('2026-11-19');
    expect(changeRecurrence(dueOn('2026-11-20'), annually)).toEqual(dueOn('2026-11-20'));
  });

  test('Due This Week is seven days ahead, This Month is to the same day of the next month', () => {
    const today = '2027-01-31';
    expect(
      ['2027-01-30', '2027-01-31', '2027-02-07', '2027-02-08'].map((due) => isDueThisWeek({ due }, today)),
    ).toEqual([false, true, true, false]);
    expect(['2027-01-30', '2027-02-28', '2027-03-01'].map((due) => isDueThisMonth({ due }, today))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('days that are out of range', () => {
    const today = '2026-11-22';
    expect(
      ['2026-11-23', today, '1996-11-22', '1996-11-21'].map((day) => isCompletionDay(day, today)),
    ).toEqual([false, true, true, false]);
    const scheduled = ['1900-01-01', '2026-11-21', today, '2036-11-22', '2036-11-23', '9999-12-31'];
    expect(scheduled.map((day) => isScheduleDay(day, today))).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  test('a day picked in the calendar completes a task that may be done, and otherwise corrects', () => {
    const done = completeTask(dueOn('2026-11-20'), weekly, { on: '2026-11-20' });
    expect(meaningOfPickedDay(done, weekly, '2026-11-21', '2026-11-25')).toBe('corrects');
    expect(meaningOfPickedDay(done, weekly, '2026-11-24', '2026-11-25')).toBe('completes');
    expect(meaningOfPickedDay(done, weekly, '2026-11-21', '2026-11-28')).toBe('completes');
  });

  test('a booking moves to the last working day before a holiday', () => {
    const calendar = { workingDays: [1, 2, 3, 4, 5], holidays: new Set(['2026-12-25', '2026-12-28']) };
    expect(workingDayBefore('2026-12-28', calendar)).toBe('2026-12-24');
    expect(workingDayBefore('2026-12-24', calendar)).toBe('2026-12-24');
    expect(() => workingDayBefore('2026-12-24', { ...calendar, workingDays: [] })).toThrow(RangeError);
  });

  test('a day begins at midnight of the organisation, also where the clocks change', () => {
    const task = { ...dueOn('2026-10-25'), coveredUntil: '2026-10-25' };
    const statusAt = (moment: string, zone: string) => statusOn(task, dayOf(moment, zone));
    expect(statusAt('2026-10-25T23:59:59.999Z', 'Europe/London')).toBe('compliant');
    expect(statusAt('2026-10-26T00:00:00.000Z', 'Europe/London')).toBe('non-compliant');
    expect(statusAt('2026-10-26T03:59:59.999Z', 'America/New_York')).toBe('compliant');
    // In Beirut the clocks skip midnight itself: that day begins at one.
    expect(new Date(startOfDay('2026-03-29', 'Asia/Beirut')).toISOString()).toBe('2026-03-28T22:00:00.000Z');
    expect(dayOf(startOfDay('2026-03-29', 'Asia/Beirut') - 1, 'Asia/Beirut')).toBe('2026-03-28');
  });
});

describe('what cannot be', () => {
  const noDays = [
    '2027-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '20-11-2026',
    '',
    '2026-1-5',
  ];

  test.each(noDays)('"%s" is no day that gives a task dates', (day) => {
    const task = dueOn('2026-11-20');
    expect(() => newTaskDates(weekly, { createdOn: day })).toThrow(RangeError);
    expect(() => newTaskDates(weekly, { createdOn: '2026-11-20', lastDone: day })).toThrow(RangeError);
    expect(() => completeTask(task, weekly, { on: day })).toThrow(RangeError);
    expect(() => completeTask(task, weekly, { on: '2026-11-20', stated: day })).toThrow(RangeError);
    expect(() => nextOccurrence(weekly, task, { on: day })).toThrow(RangeError);
    expect(() => scheduleTask(task, day)).toThrow(RangeError);
    expect(() => markTask(task, day)).toThrow(RangeError);
  });

  test.for([
    [{ count: 0, unit: 'day' }, {}],
    [{ count: -1, unit: 'week' }, {}],
    [{ count: 1.5, unit: 'month' }, {}],
    [{ count: Number.NaN, unit: 'month' }, {}],
    [{ count: 1, unit: 'month' }, { early: { count: -1, unit: 'day' } }],
    [{ count: 1, unit: 'month' }, { grace: { count: 0.5, unit: 'month' } }],
    [{ count: 1, unit: 'month' }, { on: { nth: 1, weekday: 0 } }],
    [{ count: 1, unit: 'month' }, { on: { nth: 'last', weekday: 8 } }],
  ] as const)('every %j with %j is no recurrence', ([every, options]) => {
    expect(() => recurrenceOf(every, options)).toThrow(RangeError);
  });
});

describe('over thirty years', () => {
  const counted = (unit: Span['unit'], max: number) =>
    fc.integer({ min: 1, max }).map((count): Span => ({ count, unit }));
  const SPANS: readonly (readonly [string, fc.Arbitrary<Span>])[] = [
    ['a named frequency', fc.constantFrom(...FREQUENCIES).map((name) => FREQUENCY_SPANS[name])],
    ['days', counted('day', 400)],
    ['weeks', counted('week', 60)],
    ['months', counted('month', 60)],
  ];
  const days = fc.integer({ min: 0, max: 1_500 }).map((count) => addDays('2020-01-01', count));
  /** Days between the due day and the completion of each occurrence: mostly few, negative if early, sometimes years. */
  const delays = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -45, max: 45 }) },
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 100, max: 6_000 }) },
    ),
    { minLength: 8, maxLength: 24 },
  );

  /** Whether a day is on the grid of an anchor, computed in another way than in the module. */
  function isOnGrid(day: string, anchor: string, { count, unit }: Span): boolean {
    if (unit !== 'month') return daysBetween(anchor, day) % roughDays({ count, unit }) === 0;
    const [from, to] = [new Date(anchor), new Date(day)];
    const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
    return months % count === 0 && to.getUTCDate() === Math.min(from.getUTCDate(), daysInMonth(day));
  }

  /** The fault in the step from one occurrence to the next, or undefined. Simple, because it runs 200,000 times. */
  function faultOf({ every, early }: Recurrence, before: TaskDates, on: string, after: TaskDates) {
    const reached = addSpan(on, early);
    const keepsGrid = reached >= before.gridDay;
    if (after.anchor !== (keepsGrid ? before.anchor : on)) return 'the anchor is another';
    if (!isOnGrid(after.due, after.anchor, every)) return 'it drifted off the grid';
    const counted = keepsGrid ? reached : on;
    if (after.due <= counted) return 'it stands still';
    // The occurrence that the completion counted for is one interval back, give or take the days by which months differ.
    const clamped = every.unit === 'month' ? 3 : 0;
    if (addSpan(after.due, every, -1) > addDays(counted, clamped)) return 'an occurrence was skipped';
    return after.coveredUntil === after.due ? undefined : 'it covers until another day';
  }

  test.each(SPANS)('no schedule of %s skips an occurrence, drifts, or stands still', (_name, spans) => {
    fc.assert(
      fc.property(spans, days, delays, (every, createdOn, late) => {
        const recurrence = recurrenceOf(every);
        let dates = newTaskDates(recurrence, { createdOn });
        const end = addMonths(createdOn, 12 * 30);
        for (let n = 0; n < 20 && dates.due < end; n += 1) {
          const before = dates;
          const on = addDays(before.due, late[n % late.length] ?? 0);
          if (before.completedOn !== null && on <= before.completedOn) continue;
          dates = completeTask(before, recurrence, { on });
          const fault = faultOf(recurrence, before, on, dates);
          if (fault !== undefined) throw new Error(`${fault}: ${JSON.stringify({ before, on, dates })}`);
        }
      }),
      // Ten thousand schedules in all.
      { numRuns: 2_500 },
    );
  });

  test('what is done on its day, or within its early days, is done on every grid day of the anchor', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FREQUENCIES),
        days,
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3 }),
        (frequency, createdOn, early) => {
          const recurrence = recurrenceOf(frequency);
          let dates = newTaskDates(recurrence, { createdOn });
          for (let k = 1; k <= 40; k += 1) {
            dates = completeTask(dates, recurrence, {
              on: addDays(dates.due, -(early[k % early.length] ?? 0)),
            });
            expect(dates.due).toBe(gridDayAt(recurrence, createdOn, k));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('an nth weekday stays that weekday of every month, whenever it is done', () => {
    const places = fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 'last' as const);
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 7 }), days, delays, (nth, weekday, createdOn, late) => {
        const recurrence = recurrenceOf('monthly', { on: { nth, weekday } });
        let dates = newTaskDates(recurrence, { createdOn });
        for (const delay of late) {
          const on = addDays(dates.due, delay);
          if (dates.completedOn !== null && on <= dates.completedOn) continue;
          dates = completeTask(dates, recurrence, { on });
          expect(weekdayOf(dates.due)).toBe(weekday);
          const dayOfMonth = Number(dates.due.slice(8));
          if (nth === 'last') expect(addDays(dates.due, 7).slice(0, 7)).not.toBe(dates.due.slice(0, 7));
          else expect(Math.ceil(dayOfMonth / 7)).toBe(nth);
          expect(dates.due > on).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('adding months clamps to the end of the month, and only then changes the day', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -500, max: 500 }), (day, count) => {
        const moved = addMonths(day, count);
        expect(Number(moved.slice(8))).toBe(Math.min(Number(day.slice(8)), daysInMonth(moved)));
        const at = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + count, 1));
        expect(moved.slice(0, 7)).toBe(at.toISOString().slice(0, 7));
      }),
    );
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
    expect(addMonths('2028-01-31', 1)).toBe('2028-02-29');
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
    expect(addMonths('2026-12-15', 1)).toBe('2027-01-15');
  });
});

describe('occurrences that were missed', () => {
  const weekly = { anchor: '2026-11-06', gridDay: '2026-11-06', due: '2026-11-06' };

  test.each([
    // Done early, on the due day, and late.
    ['2026-11-03', 0],
    ['2026-11-06', 0],
    ['2026-11-09', 0],
    // Within the early days of the next occurrence, which the completion then counts for.
    ['2026-11-10', 1],
    ['2026-11-13', 1],
    ['2026-11-20', 2],
    ['2026-12-01', 4],
  ])('a weekly task of Nov 6 that is done on %s has missed %i', (day, missed) => {
    expect(missedOccurrences(weekly, recurrenceOf('weekly'), day)).toBe(missed);
  });

  test('are none before the day to which Schedule moved it', () => {
    const moved = scheduleTask(
      { ...weekly, coveredUntil: null, completedOn: null, markedOn: null },
      '2026-11-25',
    );
    expect(missedOccurrences(moved, recurrenceOf('weekly'), '2026-11-23')).toBe(0);
    expect(missedOccurrences(moved, recurrenceOf('weekly'), '2026-12-04')).toBe(2);
  });

  test('of an interval from completion are whole intervals after the due day', () => {
    const recurrence = recurrenceOf(FREQUENCY_SPANS.monthly, { basis: 'completion' });
    const dates = { anchor: '2026-01-31', gridDay: '2026-02-28', due: '2026-02-28' };
    expect(missedOccurrences(dates, recurrence, '2026-03-27')).toBe(0);
    expect(missedOccurrences(dates, recurrence, '2026-03-28')).toBe(1);
    expect(missedOccurrences(dates, recurrence, '2026-05-01')).toBe(2);
  });

  test('are those that the completion skips, whatever the schedule', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FREQUENCIES),
        fc.integer({ min: 0, max: 2_000 }),
        fc.integer({ min: 0, max: 2_000 }),
        (frequency, made, later) => {
          const recurrence = recurrenceOf(frequency);
          const createdOn = addDays('2026-01-31', made);
          const dates = newTaskDates(recurrence, { createdOn });
          const on = addDays(createdOn, later);
          const next = completeTask(dates, recurrence, { on }).due;
          // The number of steps to the next occurrence is one more than the number of missed occurrences.
          let day = dates.gridDay;
          for (let n = 0; n <= missedOccurrences(dates, recurrence, on); n += 1) {
            day = firstGridDayAfter(recurrence, dates.anchor, day);
          }
          expect(day).toBe(next);
        },
      ),
    );
  });
});
