import { searchKey } from './name-keys.ts';

// The rule by which a search finds a name, the same in the browser and in SQL. The trigram index finds text anywhere in a name
// if the text has three letters or digits in a row (Latin ones, because a database may have any locale; keys have no accents).
// Other texts are found only at the beginning of a name, by an ordinary index: anywhere else they would be compared with every row.

const INDEXED = /[a-z0-9]{3}/;

/** The search key of the text that a person typed; empty if there is none. */
export function wantedText(search: string | undefined): string {
  return searchKey(search ?? '');
}

/** Whether this text is found only at the beginning of names. */
export function isPrefixSearch(wanted: string): boolean {
  return !INDEXED.test(wanted);
}

/** Whether a name has the wanted text, by the rule above. */
export function isFoundIn(name: string, wanted: string): boolean {
  const key = searchKey(name);
  return isPrefixSearch(wanted) ? key.startsWith(wanted) : key.includes(wanted);
}
