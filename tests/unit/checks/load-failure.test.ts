import { expect, test } from 'vitest';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { loadFailureOf } from '#web/features/checks/recording/load-failure.ts';

const refused = { data: { app: { code: 'internal' } } };
const unanswered = new Error('no answer', { cause: new TypeError('Failed to fetch') });

test.each([
  ['fire_alarm_test', 'Failed to load fire alarm test records'],
  ['emergency_lighting_test', 'There was an error loading the emergency lights.'],
  ['water_temperature_check', 'Failed to load water outlets. Please try again.'],
  ['outlet_flushing', 'Failed to load water outlets'],
] as const)('of the form of %s is said, where the server fails: %s', (kind, sentence) => {
  expect(loadFailureOf(kind, refused, true)).toBe(sentence);
  // Without a connection, a missing answer is not a failure.
  expect(loadFailureOf(kind, unanswered, false)).toBe(formMessages.notYetHere);
});

test('a server that does not answer is told apart where the kind has a sentence for it', () => {
  expect(loadFailureOf('fire_alarm_test', unanswered, true)).toBe('Failed to load fire alarm test records');
  expect(loadFailureOf('outlet_flushing', unanswered, true)).not.toBe(
    loadFailureOf('outlet_flushing', refused, true),
  );
});
