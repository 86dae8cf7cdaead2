import type { EventEmitter } from 'node:events';

/**
 * Gives a stream or another emitter a listener for errors when it is made: an `error` event without a listener ends the
 * process, and a reader may add its own listener too late. A later reader still gets the error of a destroyed stream.
 */
export function withErrorListener<E extends EventEmitter>(emitter: E): E {
  return emitter.on('error', () => undefined);
}
