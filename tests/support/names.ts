import type { Random } from './random.ts';

/** Parts of names; together they contain everything that a key ignores, such as case, spaces and quotes. */
const PARTS = [
  ...[
    'Light',
    'ÉLAN',
    'Zone',
    'prüf',
    'Straße',
    'Ærø',
    'œuvre',
    'Łódź',
    'đ',
    'İstanbul',
    'ı',
    'ΟΔΟΣ',
    'ὈΔΌΣ',
    'ẞ',
  ],
  ...[
    '\u01f0',
    'J\u030c',
    'Å',
    '\u212b',
    'K',
    '\u2126',
    'ﬁ',
    'ǅ',
    'ガス',
    '건물',
    'か\u3099',
    'ড়',
    'שּׁ',
    'Þ',
    'ħ',
  ],
  ...['1', '2', '10', '007', '9999999999', '12345678901', '٣', '²', 'A1b2'],
  ...[' ', '  ', '\u00a0', '\u202f', '\u3000', '\t', '\n', '\u2028', '\u1680'],
  ...[
    "'",
    '’',
    '‘',
    '\u02bc',
    '`',
    '´',
    '\u2032',
    '"',
    '“',
    '”',
    '„',
    '\u2033',
    '-',
    '–',
    '/',
    '%',
    '_',
    '\\',
    '.',
  ],
  ...['\u0301', '\u0308', '\u0323', '\u0345', '\u0338', '\u0302', '😀', '𝒜', '𐐀', '𐐨', '中'],
];

/** A name of random parts, in one Unicode form or mixed forms. */
export function nameFrom(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(7) }, () => {
    const part = random.pick(PARTS);
    const cased = random.chance(0.3) ? part.toUpperCase() : random.chance(0.3) ? part.toLowerCase() : part;
    return random.chance(0.5) ? cased.normalize(random.pick(['NFC', 'NFD'])) : cased;
  });
  return parts.join('');
}

/** The same name as other systems write it. */
export function otherForm(name: string): string {
  const other = name.normalize() === name ? name.normalize('NFD') : name.normalize();
  return ` ${other.toUpperCase().replaceAll(' ', '\u00a0 ').replaceAll("'", '’').replaceAll('"', '”')}`;
}
