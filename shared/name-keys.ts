// What of a name is compared, searched and sorted by. Functions of the database compute the same (migration 0019), and their
// results are stored beside the names; `tests/integration/database/name-keys.test.ts` compares the two.

/** Printable ASCII with single spaces between words: all but its case is as it should be. */
const PLAIN = /^(?:[!-_a-~]+(?: [!-_a-~]+)*)?$/;
const SPACES = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const APOSTROPHES = /[`\xb4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032]/g;
const QUOTES = /[\u201c-\u201f\u2033]/g;
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that people write without the mark or as two, but that do not decompose into a letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ŧ: 't' },
};
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * What must be unique, and what is compared: names that look the same have the same key, whatever their case, their way to
 * write an accent, their spaces, and the shape of their apostrophes and quotes. Accents count.
 */
export function nameKey(text: string): string {
  return PLAIN.test(text) ? text.toLowerCase() : tidy(decompose(text));
}

/** What is searched, and what is searched for: the key of the name without its accents. */
export function searchKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const plain = decompose(text)
    .replace(ACCENTS, '')
    .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter);
  return tidy(plain);
}

/** Digits that every number of a sort key has at least. */
const DIGITS = 10;

/**
 * What lists are ordered by, with `compareCodePoints`: without accents, and as people count, because each number is filled
 * up with zeros. So "Light 2" is before "Light 10", and "Élan" before "Zone".
 */
export function sortKey(text: string): string {
  return searchKey(text).replace(/[0-9]+/g, (digits) => digits.replace(/^0+/, '').padStart(DIGITS, '0'));
}

/** In small letters, and accents apart from their letters. The sigma at the end of a word is a sigma. */
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
  // In the second half of a surrogate pair: compare from its first half.
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

/** The rows by name; those of one name stay in their order. Each key is computed once, which counts with thousands of rows. */
export function sortByName<Row>(rows: Iterable<Row>, nameOf: (row: Row) => string): Row[] {
  return Array.from(rows, (row) => ({ row, key: sortKey(nameOf(row)) }))
    .sort((a, b) => compareCodePoints(a.key, b.key))
    .map(({ row }) => row);
}
