import type { FastifyReply } from 'fastify';

/** The reason of every abort. Shared: making an error with its stack for each call shows in a profile of the server. */
const GONE = new DOMException('The caller has left or has received the answer', 'AbortError');

/** Returns a signal that is aborted when the caller has left or has received the whole answer. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort(GONE);
  else raw.once('close', () => controller.abort(GONE));
  return controller.signal;
}
