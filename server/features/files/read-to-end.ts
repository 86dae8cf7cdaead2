import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/**
 * Reads the beginning of a file if its hash is known, else all of it to compute the hash. The hash is unknown after an
 * interruption, because several processes may have received parts of the file.
 */
export async function readToEnd(
  stream: Readable,
  beginningBytes: number,
  known: string | undefined,
): Promise<{ beginning: Uint8Array; sha256: string }> {
  const hash = createHash('sha256');
  const first: Buffer[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    hash.update(piece);
    if (length < beginningBytes) first.push(piece);
    length += piece.byteLength;
    if (known !== undefined && length >= beginningBytes) break;
  }
  const beginning = Buffer.concat(first).subarray(0, beginningBytes);
  return { beginning, sha256: known ?? hash.digest('hex') };
}
