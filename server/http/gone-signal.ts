import type { FastifyReply } from 'fastify';

/** Aborted when the caller has left, or has the whole answer. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}
