import { wireErrorOf } from '../lib/wire-error.ts';

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/**
 * Has a server judged the request? Without tRPC's own `data` the answer comes from a proxy, or there was none: then
 * only a plain 4xx is a judgement, and everything else leaves open whether the request was carried out.
 */
export function isAnswer(error: unknown): boolean {
  if (field(field(error, 'data'), 'code') !== undefined) return true;
  const status = field(field(field(error, 'meta'), 'response'), 'status');
  return typeof status === 'number' && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** The row or list is not, or not any more, for this person. */
export function isRefusedRead(error: unknown): boolean {
  const code = wireErrorOf(error)?.code;
  return code === 'not_found' || code === 'forbidden' || code === 'unauthenticated';
}

/** There was no connection, so nothing was sent. */
export class NotSentError extends Error {
  override name = 'NotSentError';
}

/** The live client was stopped (sign-out) before the answer came. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}
