/** What is too heavy for a draft that is written at every keystroke lies beside it, under names that begin with its own. */
const PARTS = ':photos:';
const EDIT = 'edit:';

/** The name of a part of a draft. It goes when the draft goes. */
export function partKeyOf(key: string, part: string): string {
  return `${key}${PARTS}${part}`;
}

/** The draft that a part belongs to; undefined for what is no part. */
export function wholeKeyOf(key: string): string | undefined {
  const at = key.indexOf(PARTS);
  return at === -1 ? undefined : key.slice(0, at);
}

/** A draft, or a part of it? */
export function isOf(key: string, whole: string): boolean {
  return key === whole || key.startsWith(`${whole}${PARTS}`);
}

/** All parts of a person's draft, as the database orders them. */
export function partsRange(userId: string, key: string): IDBKeyRange {
  return IDBKeyRange.bound([userId, `${key}${PARTS}`], [userId, `${key}${PARTS}\uffff`]);
}

/** The draft in which a refused entry is put right. */
export function editKeyOf(itemId: string): string {
  return `${EDIT}${itemId}`;
}

/** The entry that is put right in a draft of this name. */
export function editedIn(key: string): string | undefined {
  return key.startsWith(EDIT) ? (wholeKeyOf(key) ?? key).slice(EDIT.length) : undefined;
}
