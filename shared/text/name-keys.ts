// Names are compared, searched and sorted by keys made from them. Functions of the database compute the same keys (migration
// 0019) and store them beside the names; `tests/integration/database/name-keys.test.ts` compares the two.

/** Printable ASCII with single spaces between words. Such a text differs from its key at most in case. */
const PLAIN = /^(?:[!-_a-~]+(?: [!-_a-~]+)*)?$/;
const SPACES = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const APOSTROPHES = /[`\xb4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032]/g;
const QUOTES = /[\u201c-\u201f\u2033]/g;
const ACCENTS = /[\u0300-\u036f]/g;
/** Replacements for letters that people often type differently and that Unicode does not decompose into letter and accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ŧ: 't' },
};
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * The key by which names are compared and must be unique. Names that look the same have the same key: case, the encoding of
 * accents, the kind of spaces, apostrophes and quotes do not count. Accents do.
 */
export function nameKey(text: string): string {
  return PLAIN.test(text) ? text.toLowerCase() : tidy(decompose(text));
}

/** The key for searches, of the name and of the wanted text: `nameKey` without accents. */
export function searchKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const plain = decompose(text)
    .replace(ACCENTS, '')
    .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter);
  return tidy(plain);
}

/** Each number in a sort key is padded to this many digits. */
const DIGITS = 10;

/**
 * The key by which lists are ordered, with `compareCodePoints`: without accents, and with zeros before each number, so that
 * "Light 2" comes before "Light 10", and "Élan" before "Zone".
 */
export function sortKey(text: string): string {
  return searchKey(text).replace(/[0-9]+/g, (digits) => digits.replace(/^0+/, '').padStart(DIGITS, '0'));
}

/** Lower case, with each accent as a separate character. Both Greek small sigmas become σ, because both have the capital Σ. */
function decompose(text: string): string {
  return text.normalize('NFD').toLowerCase().replace(/ς/g, 'σ');
}

function tidy(text: string): string {
  return text
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .replace(SPACES, ' ')
    .replace(/^ | $/g, '')
    .normalize('NFC');
}

/** Compares by code point, as Postgres does in its "C" collation. JavaScript's `<` compares UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  // The difference is in the second half of a surrogate pair: compare the whole code points.
  if (at > 0 && isLowHalf(a.charCodeAt(at)) && isLowHalf(b.charCodeAt(at))) at -= 1;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

type Named = { id: string; name: string };

/** Compares by name, then id, in the server's order. */
export function compareByName(a: Named, b: Named): number {
  return compareCodePoints(sortKey(a.name), sortKey(b.name)) || compareCodePoints(a.id, b.id);
}

/** Sorts rows by name; rows of the same name stay in their order. Computes each key once, since there may be thousands. */
export function sortByName<Row>(rows: Iterable<Row>, nameOf: (row: Row) => string): Row[] {
  return Array.from(rows, (row) => ({ row, key: sortKey(nameOf(row)) }))
    .sort((a, b) => compareCodePoints(a.key, b.key))
    .map(({ row }) => row);
}
