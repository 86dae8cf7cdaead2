import type { EventEmitter } from 'node:events';

/**
 * Gives a stream or another emitter a listener for errors where it is made: an `error` event without any ends the
 * process, and its reader may listen too late. A reader is told the error of a destroyed stream whenever it comes.
 */
export function withErrorListener<E extends EventEmitter>(emitter: E): E {
  return emitter.on('error', () => undefined);
}
