import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * How many bytes are taken in a second, by all who share it: a sender waits in its own network stack meanwhile. Bytes
 * that come as fast as a local network carries them would leave no time for other callers.
 */
export class ByteRate {
  readonly #perMs: number;
  #freeAt = 0;

  constructor(bytesPerSecond: number) {
    this.#perMs = bytesPerSecond / 1_000;
  }

  /** Resolves when this many bytes have had their time. Those who share it come in the order in which they ask. */
  async wait(bytes: number): Promise<void> {
    const now = performance.now();
    this.#freeAt = Math.max(this.#freeAt, now) + bytes / this.#perMs;
    const ms = this.#freeAt - now;
    await new Promise<void>((resolve) => (ms < 1 ? setImmediate(resolve) : setTimeout(resolve, ms)));
  }
}

/**
 * Takes a whole body at a bounded rate.
 * @param length of the body in bytes as its sender says, undefined where that is not said
 * @returns undefined for more than `limit` bytes; the rest of them is still to come
 */
export async function takeBody(
  body: Readable,
  length: number | undefined,
  limit: number,
  rate: ByteRate,
): Promise<Buffer<SharedArrayBuffer> | undefined> {
  if (length !== undefined && length > limit) return undefined;
  // In one piece from the start: to join pieces takes a step as long as the file. Memory without bytes is never made.
  // Shared, because every ten megabytes of the other kind make the garbage collector look at the whole heap.
  const bytes = Buffer.from(new SharedArrayBuffer(length ?? limit));
  let taken = 0;
  // The connection is needed for the refusal of a body that is too long.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (taken + chunk.length > bytes.length) return undefined;
    taken += chunk.copy(bytes, taken);
    await rate.wait(chunk.length);
  }
  return bytes.subarray(0, taken);
}

/**
 * Lets the body of a refused request pass at a bounded rate. A browser reads the answer only after it has sent the
 * whole request, so the connection is not ended under it.
 */
export async function discardBody(request: IncomingMessage, rate: ByteRate): Promise<void> {
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) await rate.wait(chunk.length);
  } catch {
    // The sender left: there is nothing more to let pass.
  }
}
