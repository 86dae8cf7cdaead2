import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../access/actor.ts';

/**
 * Returns whether a request belongs to the signed-in person. Commands saved on a device name their owner in `x-person`,
 * because another person may have signed in in another tab.
 */
export function matchesPersonHeader(
  actor: Pick<Actor, 'userId'> | undefined,
  headers: IncomingHttpHeaders,
): boolean {
  const person = headers['x-person'];
  return person === undefined || actor === undefined || person === actor.userId;
}
