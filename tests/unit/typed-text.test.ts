import { describe, expect, test } from 'vitest';
import { recordVisitInput } from '#shared/features/checks/index.ts';
import {
  createBuildingInput,
  createClientInput,
  renameFloorInput,
} from '#shared/features/locations.inputs.ts';
import { personNameSchema } from '#shared/features/session.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { nameText, typedLine, typedText } from '#shared/text.ts';
import { lineOf, visitOf } from '#tests/support/checks.ts';

const HIDDEN = {
  'a zero-width space': 'Bo\u200bb',
  'a change of direction': 'Bob \u202egnitset',
  'an isolate': '\u2066Bob',
  'a mark of direction': 'B\u200fob',
  'a joiner between Latin letters': 'Bo\u200db',
  'a soft hyphen': 'Bo\u00adb',
  'the byte order mark': 'Bo\ufeffb',
  'a tag': 'Bob\u{e0042}',
  'a control character': 'Bob\u0007',
  'a NUL': 'Bo\0b',
  'the end of a line': 'Bob\nAdmin',
  'the end of a paragraph': 'Bob\u2029Admin',
};
const NEEDED = {
  Persian: 'نمی\u200cخواهم',
  Sinhala: 'ශ්\u200dරී',
  Malayalam: 'ന്\u200d',
  'a family': '👩\u200d👩\u200d👧',
  'a coloured astronaut': '👩🏽\u200d🚀',
  'a heart on fire': '❤\ufe0f\u200d🔥',
  Scotland: '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  Arabic: 'محمد',
  'an Irish name': 'Siobhán O’Neill-Ó Dálaigh',
};

describe('a name', () => {
  test.each(Object.entries(HIDDEN))('is refused with %s', (_what, text) => {
    expect(nameText().safeParse(text).error?.issues[0]?.message).toBe(messages.common.hiddenCharacters);
  });
  test.each(Object.entries(NEEDED))('keeps what its writing needs: %s', (_what, text) => {
    expect(nameText().parse(text)).toBe(text);
  });
  test('of whatever has one is such a name', () => {
    const name = 'Har\u202ebour';
    const ids = { operationId: uuidv7(), id: uuidv7() };
    expect(personNameSchema.safeParse(name).success).toBe(false);
    expect(createClientInput.safeParse({ operationId: uuidv7(), name }).success).toBe(false);
    expect(createBuildingInput.safeParse({ operationId: uuidv7(), clientName: 'Trust', name }).success).toBe(
      false,
    );
    expect(renameFloorInput.safeParse({ ...ids, name: { from: 'Cellar', to: name } }).success).toBe(false);
  });
});

describe('other typed text', () => {
  test.each(Object.entries(HIDDEN))('loses %s', (_what, text) => {
    const shown = text.replace(/[\n\u2029]/, ' ').replace(/[^\p{L} ]/gu, '');
    expect(typedLine().parse(text)).toBe(shown);
  });
  test.each(Object.entries(NEEDED))('keeps what its writing needs: %s', (_what, text) => {
    expect([typedLine().parse(text), typedText().parse(text)]).toEqual([text, text]);
  });
  test('keeps its lines and its tabs, however they end, and loses the blanks around it', () => {
    expect(typedText().parse(' One\r\ntwo\u2028three\tfour\u200b \u200b')).toBe('One\ntwo\nthree\tfour');
    expect(typedLine().parse(' One\r\n\ntwo\tthree ')).toBe('One two three');
  });
  test('that is nothing but hidden characters is empty', () => {
    expect(typedLine().min(1).safeParse('\u200b\u2060').success).toBe(false);
  });
});

test('a check that waits on a phone is never refused for hidden characters', () => {
  const line = {
    ...lineOf('fire_alarm_test', 'pass', uuidv7()),
    locationTested: 'Front\u200b\nDoor',
    notes: 'A\u202eB\nC',
  };
  const input = visitOf('fire_alarm_test', {
    buildingId: uuidv7(),
    now: '2026-11-18T10:00:00.000Z',
    entries: [line],
    operativeName: 'Jo\u200br\ndan',
  });
  expect(recordVisitInput.parse(input)).toMatchObject({
    operativeName: 'Jor dan',
    entries: [{ locationTested: 'Front Door', notes: 'AB\nC' }],
  });
});
