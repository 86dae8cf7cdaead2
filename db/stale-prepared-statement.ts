/**
 * Whether a statement failed only because the connection has forgotten its prepared statements (for example after DISCARD
 * ALL), or because a changed table made the plan invalid. The statement succeeds when it is prepared again.
 */
export function isStalePreparedStatement(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (Reflect.get(one, 'code') === '26000' || Reflect.get(one, 'routine') === 'RevalidateCachedQuery')
      return true;
  }
  return false;
}
