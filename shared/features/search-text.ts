import { searchKey } from '../name-keys.ts';

// What a search finds, in the browser and in SQL alike. An index of text finds a place within a name by three letters or
// digits in a row (of the Latin alphabet, because a database may have any locale; keys have no accents). Shorter texts are
// found at the beginning, by an index of names: otherwise they would be looked for in every row.

const INDEXED = /[a-z0-9]{3}/;

/** The text that is looked for; empty if nothing is. */
export function wantedText(search: string | undefined): string {
  return searchKey(search ?? '');
}

/** Whether a wanted text is looked for at the beginning of names, rather than anywhere in them. */
export function isBeginning(wanted: string): boolean {
  return !INDEXED.test(wanted);
}

/** Whether the wanted text is found in a name. */
export function isFoundIn(name: string, wanted: string): boolean {
  const key = searchKey(name);
  return isBeginning(wanted) ? key.startsWith(wanted) : key.includes(wanted);
}
