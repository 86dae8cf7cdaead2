/**
 * Tells whether a statement failed only because the connection has forgotten that it was prepared (after DISCARD ALL,
 * say), or because a changed table made its plan invalid. Preparing it again helps.
 */
export function isStalePreparedStatement(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (Reflect.get(one, 'code') === '26000' || Reflect.get(one, 'routine') === 'RevalidateCachedQuery')
      return true;
  }
  return false;
}
