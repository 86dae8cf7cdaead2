import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../access/actor.ts';

/**
 * Does a request come from the person for whom it was made? What was saved on a device names its owner in `x-person`:
 * the cookie may by now be somebody else's, who has signed in in another tab.
 */
export function matchesPersonHeader(
  actor: Pick<Actor, 'userId'> | undefined,
  headers: IncomingHttpHeaders,
): boolean {
  const person = headers['x-person'];
  return person === undefined || actor === undefined || person === actor.userId;
}
