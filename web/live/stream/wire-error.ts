import { wireErrorOf } from '../../lib/trpc/wire-error.ts';

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/**
 * Whether the server has decided about the request; otherwise the request may or may not have been carried out. The
 * server itself may not know the outcome. An error without tRPC's `data` comes from a proxy, or there was no answer: then
 * only a plain 4xx counts as a decision.
 */
export function isAnswer(error: unknown): boolean {
  if (wireErrorOf(error)?.outcome === 'unknown') return false;
  if (field(field(error, 'data'), 'code') !== undefined) return true;
  const status = field(field(field(error, 'meta'), 'response'), 'status');
  return typeof status === 'number' && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** Whether a read was refused: the row or list does not exist, the person has no access to it, or there is no session. */
export function isRefusedRead(error: unknown): boolean {
  const code = wireErrorOf(error)?.code;
  return code === 'not_found' || code === 'forbidden' || code === 'unauthenticated';
}

/** Thrown if there was no connection, so nothing was sent. */
export class NotSentError extends Error {
  override name = 'NotSentError';
}

/** Thrown if the person did not authenticate again for a sensitive command, which was therefore not carried out. */
export class NotConfirmedError extends Error {
  override name = 'NotConfirmedError';
}

/**
 * Thrown if a write ends without a known outcome: sign-out before the answer, storing on this device before the answer,
 * or a refusal of access after an attempt that got no answer.
 */
export class StoppedError extends Error {
  override name = 'StoppedError';
}
