import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatFrequency,
  parseFrequency,
  parseSpan,
  recurrenceFrom,
  storedRecurrence,
} from '#shared/features/tasks/task-frequency.ts';
import { FREQUENCIES, type Recurrence, recurrenceOf } from '#shared/features/tasks/task-schedule.ts';

describe('the text of a frequency', () => {
  test.for([
    ['weekly', { every: { count: 1, unit: 'week' }, basis: 'grid', on: null }],
    ['P14M', { every: { count: 14, unit: 'month' }, basis: 'grid', on: null }],
    ['P6M/completion', { every: { count: 6, unit: 'month' }, basis: 'completion', on: null }],
    ['P60M/stated', { every: { count: 60, unit: 'month' }, basis: 'stated', on: null }],
    ['P1M/first-1', { every: { count: 1, unit: 'month' }, basis: 'grid', on: { nth: 1, weekday: 1 } }],
    ['P3M/last-5', { every: { count: 3, unit: 'month' }, basis: 'grid', on: { nth: 'last', weekday: 5 } }],
  ] as const)('%s', ([text, meaning]) => {
    expect(parseFrequency(text)).toEqual(meaning);
    expect(formatFrequency(meaning)).toBe(text);
  });

  test('is the name, where the interval has one', () => {
    for (const name of FREQUENCIES) expect(formatFrequency(recurrenceOf(name))).toBe(name);
    expect(formatFrequency({ every: { count: 6, unit: 'month' }, basis: 'grid', on: null })).toBe(
      'biannually',
    );
  });

  test.for([
    'fortnightly',
    '',
    'P0D',
    'P0M/completion',
    'P121M',
    'P3651D',
    'P1Y',
    'P1M/first-8',
    'P1M/fifth-1',
    'P2W/first-1',
    'P1M/stated/stated',
    'Weekly',
  ])('"%s" is none', (text) => {
    expect(parseFrequency(text)).toBeUndefined();
  });

  test('a span of no days is a span, and one of more than ten years is none', () => {
    expect(parseSpan('P0D')).toEqual({ count: 0, unit: 'day' });
    expect([parseSpan('P120M'), parseSpan('P521W')]).toEqual([{ count: 120, unit: 'month' }, undefined]);
  });
});

test('what is stored of a recurrence gives the same recurrence back', () => {
  const unit = fc.constantFrom('day' as const, 'week' as const, 'month' as const);
  const span = (min: number) => fc.record({ count: fc.integer({ min, max: 100 }), unit });
  const on = fc.option(
    fc.record({
      nth: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 'last' as const),
      weekday: fc.integer({ min: 1, max: 7 }),
    }),
  );
  const recurrences = fc
    .record({
      every: span(1),
      basis: fc.constantFrom('grid' as const, 'completion' as const, 'stated' as const),
      on,
      early: span(1),
      grace: span(1),
    })
    // Only a grid of months can have an nth weekday.
    .map(
      (one): Recurrence => ({
        ...one,
        on: one.basis === 'grid' && one.every.unit === 'month' ? one.on : null,
      }),
    );
  fc.assert(
    fc.property(recurrences, (recurrence) => {
      expect(recurrenceFrom(storedRecurrence(recurrence))).toEqual(recurrence);
    }),
  );
  const usual = recurrenceOf('quarterly');
  expect(storedRecurrence(usual)).toEqual({ frequency: 'quarterly', early: null, grace: 'P0D' });
  expect(recurrenceFrom({ frequency: 'quarterly', early: null, grace: 'P0D' })).toEqual(usual);
  expect(() => recurrenceFrom({ frequency: 'often', early: null, grace: 'P0D' })).toThrow('not a frequency');
});
