import { expect, test } from 'vitest';
import { formatFrequency, parseFrequency } from '#shared/features/tasks/task-frequency.ts';
import { recurrenceOf } from '#shared/features/tasks/task-schedule.ts';
import { formatRecurrence } from '#shared/features/tasks/tasks.vocabulary.ts';
import { partsOf, textOf } from '#web/features/tasks/form/frequency-parts.ts';

// The form's choices below "Other…", the text that is stored for them, and the words that the form shows for them.

const OTHER = partsOf('PM').other;

test.each([
  [{ count: '14', unit: 'M' }, 'P14M', 'Every 14 months'],
  [{ count: '10', unit: 'D' }, 'P10D', 'Every 10 days'],
  [{ count: '6', unit: 'M', rule: 'completion' }, 'P6M/completion', 'Every 6 months from completion'],
  [{ count: '60', unit: 'M', rule: 'stated' }, 'P60M/stated', 'As the certificate states'],
  [{ count: '1', unit: 'M', rule: 'weekday' }, 'P1M/first-1', 'First Monday of the month'],
  [
    { count: '3', unit: 'M', rule: 'weekday', place: 'last', weekday: '5' },
    'P3M/last-5',
    'Last Friday, every 3 months',
  ],
  // Only months have a weekday of the month.
  [{ count: '2', unit: 'W', rule: 'weekday' }, 'P2W', 'Every 2 weeks'],
  // An interval with a name is stored by its name.
  [{ count: '1', unit: 'W' }, 'weekly', 'Weekly'],
  [{ count: '12', unit: 'M' }, 'annually', 'Annually'],
] as const)('%j is %s, "%s"', (parts, stored, words) => {
  const text = textOf({ choice: 'other', other: { ...OTHER, ...parts } });
  const { every, ...rest } = parseFrequency(text) ?? expect.fail(text);
  const recurrence = recurrenceOf(every, rest);
  expect([formatFrequency(recurrence), formatRecurrence(recurrence)]).toEqual([stored, words]);
});

test.each(['P14M', 'P6M/completion', 'P60M/stated', 'P3M/last-5', 'PM', 'PW/completion'])(
  '%s is read back, also before its number is typed',
  (text) => {
    expect(textOf(partsOf(text))).toBe(text);
  },
);
