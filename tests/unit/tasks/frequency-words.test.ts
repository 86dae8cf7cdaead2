import { expect, test } from 'vitest';
import { frequencyFromWords } from '#server/features/imports/frequency-words.ts';
import { formatFrequency, parseFrequency } from '#shared/features/tasks/task-frequency.ts';
import { recurrenceOf } from '#shared/features/tasks/task-schedule.ts';
import { TASK_TEMPLATES } from '#shared/features/tasks/task-templates.ts';
import { formatRecurrence, formatRecurrenceFully } from '#shared/features/tasks/tasks.vocabulary.ts';

const STORED = [
  ...['weekly', 'monthly', 'quarterly', 'annually', 'biannually', 'P1D', 'P10D', 'P2W', 'P14M', 'P120M'],
  ...['P6M/completion', 'P1W/completion', 'P1M/first-1', 'P3M/last-5', 'P12M/fourth-7', 'P12M/stated'],
];

test.each(STORED)('the words that screens show for %s are read back', (stored) => {
  const { every, ...rest } = parseFrequency(stored) ?? expect.fail(stored);
  const words = formatRecurrence(recurrenceOf(every, rest));
  expect(frequencyFromWords(words)).toBe(stored);
  expect(frequencyFromWords(`  ${words.toUpperCase().replaceAll(' ', '  ')} `)).toBe(stored);
  expect(frequencyFromWords(stored)).toBe(stored);
});

test('those of every template are', () => {
  for (const { recurrence } of TASK_TEMPLATES) {
    // "As the certificate states" does not contain the interval.
    const stored = formatFrequency(recurrence).replace(/^P\d+M\/stated$/, 'P12M/stated');
    expect(frequencyFromWords(formatRecurrence(recurrence))).toBe(stored);
  }
});

test.each([...STORED, 'P60M/stated', 'P1M/stated', 'P52W/stated'])(
  'the words of files for %s are',
  (stored) => {
    const { every, ...rest } = parseFrequency(stored) ?? expect.fail(stored);
    expect(frequencyFromWords(formatRecurrenceFully(recurrenceOf(every, rest)))).toBe(stored);
  },
);

test.each([
  ['Annual', 'annually'],
  ['yearly', 'annually'],
  ['Every year', 'annually'],
  ['every 5 years', 'P60M'],
  ['Every 6 months', 'biannually'],
])('%s is %s', (words, stored) => expect(frequencyFromWords(words)).toBe(stored));

test.each([
  '',
  'fortnightly',
  'every 0 days',
  'every 11 years',
  'every',
  'fifth Monday of the month',
  'P1Y',
  'as the certificate states, sometimes',
  'as the certificate states, every month from completion',
  'daily x',
])('"%s" is no frequency', (words) => expect(frequencyFromWords(words)).toBeUndefined());
