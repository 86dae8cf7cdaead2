import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  dayOf,
  endOfDay,
  formatDate,
  formatDateTime,
  formatDay,
  formatRelative,
  formatWeekdayDate,
  formatWeekdayTime,
  instantOf,
  startOfDay,
  weekdayOf,
} from '#shared/dates.ts';

const NOW = Date.parse('2026-11-20T14:02:00.000Z');

describe('dates', () => {
  test('are written as the product writes them', () => {
    expect(formatDate('2026-11-20T14:02:00.000Z')).toBe('Nov 20, 2026');
    expect(formatDay('2026-09-05')).toBe('Sep 05, 2026');
    expect(formatWeekdayDate('2026-11-20T14:02:00.000Z')).toBe('Fri 20 Nov 2026');
    expect(formatWeekdayTime('2026-11-20T14:02:00.000Z')).toBe('Fri 20 Nov 2026 14:02');
    expect(formatDateTime('2026-07-01T23:30:00.000Z')).toBe('Jul 02, 2026 00:30');
  });

  test.each(['America/Los_Angeles', 'Europe/London', 'Pacific/Kiritimati'])(
    'a calendar date is the same day in %s',
    (zone) => {
      expect(dayOf('2026-11-20', zone)).toBe('2026-11-20');
      expect(formatDate('2026-11-20', zone)).toBe('Nov 20, 2026');
      expect(formatWeekdayDate('2026-11-20', zone)).toBe('Fri 20 Nov 2026');
    },
  );

  test.for([
    [0, 'just now'],
    [-59_999, 'just now'],
    [-60_000, '1 minute ago'],
    [-2 * 3_600_000, '2 hours ago'],
    [-23 * 3_600_000, '23 hours ago'],
    [-24 * 3_600_000, '1 day ago'],
    [-8 * 86_400_000, '1 week ago'],
    [-45 * 86_400_000, '1 month ago'],
    [-800 * 86_400_000, '2 years ago'],
    [3 * 86_400_000, 'in 3 days'],
  ] as const)('relative to now: %i ms is %s', ([difference, words]) => {
    expect(formatRelative(NOW + difference, NOW)).toBe(words);
  });

  test('begin and end by the clocks of the place', () => {
    expect(dayOf('2026-07-01T23:30:00.000Z')).toBe('2026-07-02');
    expect(dayOf('2026-07-01T23:30:00.000Z', 'UTC')).toBe('2026-07-01');
    expect(new Date(startOfDay('2026-07-02')).toISOString()).toBe('2026-07-01T23:00:00.000Z');
    // The day on which the clocks go back has 25 hours.
    expect(endOfDay('2026-10-25') - startOfDay('2026-10-25') + 1).toBe(25 * 3_600_000);
    expect(endOfDay('2026-03-29') - startOfDay('2026-03-29') + 1).toBe(23 * 3_600_000);
  });

  test('know times that clocks skip, and those that they show twice', () => {
    expect(new Date(instantOf('2026-03-29', '01:30')).toISOString()).toBe('2026-03-29T01:30:00.000Z');
    expect(new Date(instantOf('2026-10-25', '01:30')).toISOString()).toBe('2026-10-25T00:30:00.000Z');
    expect(new Date(instantOf('2026-11-20', '09:00', 'America/New_York')).toISOString()).toBe(
      '2026-11-20T14:00:00.000Z',
    );
  });

  test('come back from every midnight, in every zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.constantFrom('Europe/London', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'),
        (days, zone) => {
          const day = addDays('1990-01-01', days);
          expect(dayOf(startOfDay(day, zone), zone)).toBe(day);
          expect(dayOf(endOfDay(day, zone), zone)).toBe(day);
          expect(weekdayOf(addDays(day, 7))).toBe(weekdayOf(day));
        },
      ),
      { numRuns: 300 },
    );
  });
});
