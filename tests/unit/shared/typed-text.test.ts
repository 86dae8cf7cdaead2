import { describe, expect, test } from 'vitest';
import { recordVisitInput } from '#shared/features/checks/index.ts';
import {
  createBuildingInput,
  createClientInput,
  renameFloorInput,
} from '#shared/features/locations/locations.inputs.ts';
import { personNameSchema } from '#shared/features/users/session.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { nameText, typedLine, typedText } from '#shared/text/text.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';

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
  'a filler of Hangul': 'Bo\u3164b',
  'a narrow filler of Hangul': 'Bo\uffa0b',
  'a filler of a syllable': 'Bo\u115fb',
  'a selector of variants after a Latin letter': 'Bo\ufe0fb',
  'a selector of variants beyond the first plane': 'Bob\u{e0100}',
  'a joiner of graphemes': 'Bo\u034fb',
  'a vowel of Khmer that is not drawn': 'Bo\u17b4b',
  'a blank of Braille': 'Bo\u2800b',
  'a code that is reserved for what is not drawn': 'Bo\u{e0fff}b',
  'a noncharacter': 'Bo\uffffb',
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
  'a heart as a picture': '❤\ufe0f',
  'a digit on a key': '1\ufe0f\u20e3',
  'a Japanese family name': '葛\u{e0100}城',
  Mongolian: 'ᠠ\u180b',
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
  test('of a person is one, however its accents and blanks were typed', () => {
    expect(personNameSchema.parse('Siobha\u0301n\u00a0\u2009 Ward')).toBe('Siobh\u00e1n Ward');
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
    const shown = text.replace(/[\n\u2029]/, ' ').replace(/[^\p{L} ]|\p{Default_Ignorable_Code_Point}/gu, '');
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
    expect(typedLine().min(1).safeParse('\u200b\u2060\u3164').success).toBe(false);
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
