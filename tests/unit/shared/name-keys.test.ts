import { describe, expect, test } from 'vitest';
import {
  compareByName,
  compareCodePoints,
  nameKey,
  searchKey,
  sortByName,
  sortKey,
} from '#shared/text/name-keys.ts';
import { nameFrom } from '#tests/support/names.ts';
import { seededRandom } from '#tests/support/random.ts';

describe('names that look the same', () => {
  test.each([
    ['an accent in one character or in two', 'Pr\u00fcfbericht', 'Pru\u0308fbericht'],
    ['accents in another order', 'a\u0323\u0302', 'a\u0302\u0323'],
    ['a no-break space', 'Harbour House', 'Harbour\u00a0House'],
    ['a narrow, a wide and an ideographic space', 'Harbour House', 'Harbour\u202f\u2003\u3000House'],
    ['several spaces, tabs and ends of lines', 'Harbour House', ' Harbour \t\r\n House\u2028'],
    ['a curly apostrophe', "St George's Court", 'St George’s Court'],
    ['a modifier, a prime, a grave and an acute', "St George's Court", 'St George\u02bcs Court'],
    ['a prime', "St George's Court", 'St George\u2032s Court'],
    ['a grave', "St George's Court", 'St George`s Court'],
    ['an acute', "St George's Court", 'St George´s Court'],
    ['curly quotes', '"The Hub"', '“The Hub”'],
    ['low and double prime quotes', '"The Hub"', '„The Hub\u2033'],
    ['case', 'HARBOUR house', 'harbour HOUSE'],
    ['case beyond the ASCII letters', 'ÉLAN ŁÓDŹ', 'élan łódź'],
    ['a small letter in one character, a capital in two', '\u01f0', 'J\u030c'],
    ['the sigma at the end of a word', 'ΟΔΟΣ', 'οδος'],
    ['a sign that is a letter', 'Ω', '\u2126'],
  ])('are the same in spite of %s', (_what, a, b) => {
    expect(nameKey(a)).toBe(nameKey(b));
    expect(searchKey(a)).toBe(searchKey(b));
    expect(sortKey(a)).toBe(sortKey(b));
  });

  test.each([
    ['an accent', 'Elan', 'Élan'],
    ['a hyphen and a dash', 'A-1', 'A\u20131'],
    ['a space that is there or not', 'Rooftop', 'Roof top'],
    ['a number with a zero', 'Light 1', 'Light 01'],
    ['a letter that is another', 'Müller', 'Mueller'],
    ['an i without a dot', 'Kadıköy', 'Kadiköy'],
    ['a capital i with a dot', 'İ', 'I'],
  ])('are not the same with %s', (_what, a, b) => {
    expect(nameKey(a)).not.toBe(nameKey(b));
  });
});

test('a search finds with accents and without, on both sides', () => {
  for (const [name, plain] of [
    ['Prüfbericht', 'prufbericht'],
    ['Élan Café', 'elan cafe'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Ørsted Ærø', 'orsted aero'],
    ['Œuvre', 'oeuvre'],
    ['Łódź Đà Nẵng', 'lodz da nang'],
    ['Kadıköy İstanbul', 'kadikoy istanbul'],
    ['Þingvellir Garður', 'thingvellir gardur'],
    ['Ħal Qormi', 'hal qormi'],
    ['Ångström', 'angstrom'],
  ] as const) {
    expect(searchKey(name)).toBe(plain);
    expect(searchKey(name.normalize('NFD'))).toBe(plain);
  }
});

test('other writing keeps its marks, and each syllable stays one character', () => {
  expect(searchKey('ガス')).toBe('ガス');
  expect(searchKey('건물')).toBe('건물');
  expect(searchKey('건물')).toHaveLength(2);
});

test('lists are in the order in which people count, and accents do not count', () => {
  const names = ['Zone', 'Light 10', 'Élan', 'light 2', 'Light 1', 'Ecole', 'École 2', 'Zone A', 'Light 1b'];
  expect(sortByName(names, (name) => name)).toEqual([
    ...['Ecole', 'École 2', 'Élan', 'Light 1', 'Light 1b', 'light 2', 'Light 10', 'Zone', 'Zone A'],
  ]);
  // With or without zeros before a number.
  expect(sortKey('Plan 007')).toBe(sortKey('Plan 7'));
  expect(compareCodePoints(sortKey('Plan 9'), sortKey('Plan 9999999999'))).toBeLessThan(0);
});

test('rows of one name are in the order of their ids', () => {
  const rows = [
    { id: 'c', name: 'Élan' },
    { id: 'a', name: 'elan' },
    { id: 'b', name: 'ELAN' },
  ];
  expect(rows.sort(compareByName).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('a key is its own key, as cursors need it', () => {
  const random = seededRandom('keys of keys');
  for (let round = 0; round < 5_000; round += 1) {
    const name = nameFrom(random);
    for (const keyOf of [nameKey, searchKey, sortKey]) expect(keyOf(keyOf(name))).toBe(keyOf(name));
    // Names with the same name key have the same other keys.
    expect(searchKey(nameKey(name))).toBe(searchKey(name));
  }
});
