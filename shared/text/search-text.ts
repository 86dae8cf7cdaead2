import { searchKey } from './name-keys.ts';

// The rule by which a search finds a name, the same in the browser and in SQL. A text with three letters or digits in a row is
// found anywhere in a name, by a trigram index. Only the letters a to z count, because a database may have any locale, and keys
// have no accents. Any other text is found only at the beginning of a name, by an ordinary index, because the trigram index
// cannot find it: each row would have to be compared.

const INDEXED = /[a-z0-9]{3}/;

/** The search key of the text that a person typed; empty if there is none. */
export function wantedText(search: string | undefined): string {
  return searchKey(search ?? '');
}

/** Whether this text is found only at the beginning of names. */
export function isPrefixSearch(wanted: string): boolean {
  return !INDEXED.test(wanted);
}

/** Whether a search for this text finds a name, by the rule above. */
export function isFoundIn(name: string, wanted: string): boolean {
  const key = searchKey(name);
  return isPrefixSearch(wanted) ? key.startsWith(wanted) : key.includes(wanted);
}
