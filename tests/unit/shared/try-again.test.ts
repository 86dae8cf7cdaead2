import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode, isRetryable } from '#shared/errors.ts';
import { LOG_KINDS } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks } from '#shared/features/checks/index.ts';
import { waterTemperatureMessages } from '#shared/features/checks/kinds/water-temperature.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { importMessages } from '#shared/offline/import-messages.ts';
import { loadFailureOf } from '#web/features/checks/recording/load-failure.ts';
import { saveFailureOf } from '#web/features/checks/recording/save-failure.ts';
import { messageFor } from '#web/lib/trpc/message-for.ts';
import { formatError } from '#web/offline/labels.ts';

/** Whether the same call can succeed if it is tried again. A decision is needed for every code. */
const HELPS: Readonly<Record<ErrorCode, boolean>> = {
  unauthenticated: false,
  forbidden: false,
  reauthentication_required: false,
  not_found: false,
  invalid: false,
  conflict: false,
  duplicate: false,
  operation_reused: false,
  rate_limited: true,
  too_large: false,
  unsupported: false,
  busy: true,
  upgrade_required: false,
  internal: true,
};
const wire = (code: ErrorCode) => ({ data: { app: { code } } });
const advises = (sentence: string) => /try again/i.test(sentence);
const FALLBACKS = [messages.session.signOutFailed, messages.session.setupFailed, importMessages.failed];

describe.each(ERROR_CODES)('after %s', (code) => {
  test(`trying again ${HELPS[code] ? 'may help' : 'is not advised'}`, () => {
    expect(isRetryable(code)).toBe(HELPS[code]);
    const sentences = [
      ...FALLBACKS.map((fallback) => messageFor(wire(code), fallback)),
      ...LOG_KINDS.map((kind) => saveFailureOf(kind, { code })),
      loadFailureOf('water_temperature_check', wire(code), true),
      formatError({ code }),
    ];
    for (const sentence of sentences) {
      expect(sentence).not.toBe('');
      if (!HELPS[code]) expect(advises(sentence), sentence).toBe(false);
    }
    if (HELPS[code])
      for (const fallback of FALLBACKS) expect(advises(messageFor(wire(code), fallback))).toBe(true);
  });
});

test('what a server refuses says why; where none has judged, the sentence stands to the letter', () => {
  for (const kind of LOG_KINDS) {
    const { saveFailed } = checks[kind].messages;
    expect(saveFailureOf(kind, { code: 'unreachable' })).toBe(saveFailed);
    expect(saveFailureOf(kind, { code: 'internal' })).toBe(saveFailed);
    expect(saveFailureOf(kind, null)).toBe(saveFailed);
    expect(saveFailureOf(kind, { code: 'forbidden' })).toContain(messages.common.forbidden);
  }
  expect(saveFailureOf('fire_alarm_test', { code: 'invalid', message: 'Please check the year.' })).toBe(
    'Failed to save the fire alarm test. Please check the year.',
  );
  expect(loadFailureOf('water_temperature_check', wire('internal'), true)).toBe(
    waterTemperatureMessages.loadFailed,
  );
});

test('an unexpected error has one full stop between its sentence and its reference', () => {
  const failure = { data: { app: { code: 'internal', reference: 'r1' } } };
  for (const fallback of ['Failed to save the change', 'Failed to save the change.']) {
    expect(messageFor(failure, fallback)).toBe(
      `Failed to save the change. ${messages.common.internal('r1')}`,
    );
  }
});
