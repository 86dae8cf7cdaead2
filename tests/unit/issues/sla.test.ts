import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bankHolidays } from '#server/kernel/bank-holidays.ts';
import {
  addPause,
  addWorkingTime,
  dueAt,
  NEVER_PAUSED,
  type WorkingCalendar,
  workingDayMs,
  workingTimeBetween,
} from '#shared/features/issues/sla.ts';

const HOUR_MS = 3_600_000;
const calendar: WorkingCalendar = {
  timeZone: 'Europe/London',
  workingDays: [1, 2, 3, 4, 5],
  workStartsAt: '09:00:00',
  workEndsAt: '17:00:00',
  holidays: new Set([2025, 2026, 2027].flatMap(bankHolidays).map(({ day }) => day)),
};

const at = (iso: string) => Date.parse(iso);
const iso = (ms: number) => new Date(ms).toISOString();

describe('working time', () => {
  test.for([
    ['within a day', '2026-11-18T10:00:00.000Z', 2, '2026-11-18T12:00:00.000Z'],
    ['to the very end of a day', '2026-11-18T10:00:00.000Z', 7, '2026-11-18T17:00:00.000Z'],
    ['over a night', '2026-11-18T16:00:00.000Z', 2, '2026-11-19T10:00:00.000Z'],
    ['over a weekend', '2026-11-20T16:30:00.000Z', 1, '2026-11-23T09:30:00.000Z'],
    ['from before work', '2026-11-18T03:00:00.000Z', 1, '2026-11-18T10:00:00.000Z'],
    ['from after work', '2026-11-18T20:00:00.000Z', 1, '2026-11-19T10:00:00.000Z'],
    [
      'over Christmas, whose Boxing Day is kept on Monday',
      '2026-12-24T16:00:00.000Z',
      2,
      '2026-12-29T10:00:00.000Z',
    ],
    ['over Easter', '2026-04-02T15:00:00.000Z', 2, '2026-04-07T09:00:00.000Z'],
    ['in summer time', '2026-07-01T08:00:00.000Z', 8, '2026-07-01T16:00:00.000Z'],
    [
      'over the weekend on which the clocks go back',
      '2026-10-23T15:00:00.000Z',
      2,
      '2026-10-26T10:00:00.000Z',
    ],
    [
      'over the weekend on which the clocks go forward',
      '2026-03-27T16:00:00.000Z',
      2,
      '2026-03-30T09:00:00.000Z',
    ],
  ] as const)('passes %s', ([, from, hours, to]) => {
    expect(iso(addWorkingTime(at(from), hours * HOUR_MS, calendar))).toBe(to);
    expect(workingTimeBetween(at(from), at(to), calendar)).toBe(hours * HOUR_MS);
  });

  test('between two moments is what has to be added to the first to reach the end of it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-06-01T00:00:00Z') }),
        fc.integer({ min: 1, max: 200 * HOUR_MS }),
        (from, working) => {
          const end = addWorkingTime(from, working, calendar);
          expect(workingTimeBetween(from, end, calendar)).toBe(working);
          expect(workingTimeBetween(from, end - 1, calendar)).toBe(working - 1);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('in an organisation that never works runs day and night, and ends', () => {
    const never = { ...calendar, workingDays: [] };
    expect(addWorkingTime(0, HOUR_MS, never)).toBe(HOUR_MS);
    expect(workingTimeBetween(0, 30 * 24 * HOUR_MS, never)).toBe(0);
  });
});

describe('a due date', () => {
  const from = at('2026-11-20T16:00:00.000Z');

  test('in hours runs day and night, in working days by the calendar', () => {
    expect(iso(dueAt(from, { amount: 4, unit: 'hour', paused: NEVER_PAUSED }, calendar))).toBe(
      '2026-11-20T20:00:00.000Z',
    );
    expect(workingDayMs(calendar)).toBe(8 * HOUR_MS);
    expect(iso(dueAt(from, { amount: 1, unit: 'working_day', paused: NEVER_PAUSED }, calendar))).toBe(
      '2026-11-23T16:00:00.000Z',
    );
  });

  test('moves by what was paused, counted in its own unit', () => {
    // Friday 16:00 to Monday 10:00: 66 hours, including two working hours.
    const paused = addPause(NEVER_PAUSED, from, at('2026-11-23T10:00:00.000Z'), calendar);
    expect(paused).toEqual({ ms: 66 * HOUR_MS, workingMs: 2 * HOUR_MS });
    expect(iso(dueAt(from, { amount: 4, unit: 'hour', paused }, calendar))).toBe('2026-11-23T14:00:00.000Z');
    expect(iso(dueAt(from, { amount: 1, unit: 'working_day', paused }, calendar))).toBe(
      '2026-11-24T10:00:00.000Z',
    );
    expect(addPause(paused, from, from, calendar)).toBe(paused);
  });
});

describe('the bank holidays of England and Wales', () => {
  // As published by the government.
  test.for([
    [
      2026,
      [
        '2026-01-01',
        '2026-04-03',
        '2026-04-06',
        '2026-05-04',
        '2026-05-25',
        '2026-08-31',
        '2026-12-25',
        '2026-12-28',
      ],
    ],
    [
      2027,
      [
        '2027-01-01',
        '2027-03-26',
        '2027-03-29',
        '2027-05-03',
        '2027-05-31',
        '2027-08-30',
        '2027-12-27',
        '2027-12-28',
      ],
    ],
    [
      2028,
      [
        '2028-01-03',
        '2028-04-14',
        '2028-04-17',
        '2028-05-01',
        '2028-05-29',
        '2028-08-28',
        '2028-12-25',
        '2028-12-26',
      ],
    ],
    [
      2033,
      [
        '2033-01-03',
        '2033-04-15',
        '2033-04-18',
        '2033-05-02',
        '2033-05-30',
        '2033-08-29',
        '2033-12-26',
        '2033-12-27',
      ],
    ],
  ] as const)('of %i', ([year, days]) => {
    expect(bankHolidays(year).map(({ day }) => day)).toEqual(days);
  });

  test('are eight different working days in every year that is made', () => {
    for (let year = 2024; year <= 2040; year += 1) {
      const days = bankHolidays(year).map(({ day }) => day);
      expect(new Set(days).size).toBe(8);
      for (const day of days) expect([0, 6]).not.toContain(new Date(day).getUTCDay());
    }
  });
});
