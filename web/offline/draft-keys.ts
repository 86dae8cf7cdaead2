/**
 * Parts are stored beside their draft, because they are too large to write at every keystroke. Their keys begin with the
 * draft's key.
 */
const PARTS = ':photos:';
const EDIT = 'edit:';

/** The key of a part of a draft. The part is removed with its draft. */
export function partKeyOf(key: string, part: string): string {
  return `${key}${PARTS}${part}`;
}

/** The key of the draft to which a part belongs; undefined if the key is not a part's. */
export function wholeKeyOf(key: string): string | undefined {
  const at = key.indexOf(PARTS);
  return at === -1 ? undefined : key.slice(0, at);
}

/** Whether a key belongs to a draft or to one of its parts. */
export function isOf(key: string, whole: string): boolean {
  return key === whole || key.startsWith(`${whole}${PARTS}`);
}

/** The key range of all parts of a person's draft. */
export function partsRange(userId: string, key: string): IDBKeyRange {
  return IDBKeyRange.bound([userId, `${key}${PARTS}`], [userId, `${key}${PARTS}\uffff`]);
}

/** The key of the draft in which a refused command is corrected. */
export function editKeyOf(itemId: string): string {
  return `${EDIT}${itemId}`;
}

/** The id of the command that is corrected in the draft with this key, if any. */
export function editedIn(key: string): string | undefined {
  return key.startsWith(EDIT) ? (wholeKeyOf(key) ?? key).slice(EDIT.length) : undefined;
}
