import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Limits the bytes accepted per second for all senders that share it, by backpressure. At the speed of a local network,
 * uploads would leave no CPU time for other callers.
 */
export class ByteRate {
  readonly #perMs: number;
  #freeAt = 0;

  constructor(bytesPerSecond: number) {
    this.#perMs = bytesPerSecond / 1_000;
  }

  /** Resolves when this many bytes are within the rate. Callers are served in order. */
  async wait(bytes: number): Promise<void> {
    const now = performance.now();
    this.#freeAt = Math.max(this.#freeAt, now) + bytes / this.#perMs;
    const ms = this.#freeAt - now;
    await new Promise<void>((resolve) => (ms < 1 ? setImmediate(resolve) : setTimeout(resolve, ms)));
  }
}

/**
 * Reads a whole body at a limited rate.
 * @param length the body's length in bytes as declared, undefined if not declared
 * @returns undefined for more than `limit` bytes; the rest is still unread
 */
export async function takeBody(
  body: Readable,
  length: number | undefined,
  limit: number,
  rate: ByteRate,
): Promise<Buffer<SharedArrayBuffer> | undefined> {
  if (length !== undefined && length > limit) return undefined;
  // Allocated in one piece, because joining chunks would block for as long as it takes to copy the file. Memory is
  // committed only when written. Shared, because every ten megabytes of ordinary buffers trigger a collection of the
  // whole heap.
  const bytes = Buffer.from(new SharedArrayBuffer(length ?? limit));
  let taken = 0;
  // The connection must stay open to refuse a body that is too long.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (taken + chunk.length > bytes.length) return undefined;
    taken += chunk.copy(bytes, taken);
    await rate.wait(chunk.length);
  }
  return bytes.subarray(0, taken);
}

/**
 * Reads and drops the body of a refused request at a limited rate. A browser reads the response only after it has sent
 * the whole request, so the connection is not cut.
 */
export async function discardBody(request: IncomingMessage, rate: ByteRate): Promise<void> {
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) await rate.wait(chunk.length);
  } catch {
    // The sender has left: nothing more to read.
  }
}
