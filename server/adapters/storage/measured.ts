import { createHash } from 'node:crypto';
import { type PutOptions, StorageError } from './storage.ts';

/**
 * Reads a source chunk by chunk, counting and hashing it.
 * @throws StorageError `too_large` as soon as the limit is exceeded, `mismatch` at the end
 */
export async function readMeasured(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, sha256 }: PutOptions,
  write: (piece: Uint8Array) => Promise<void>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let writing = Promise.resolve();
  try {
    for await (const piece of source) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw new StorageError('too_large');
      // Hashing overlaps with writing the previous chunk.
      hash.update(piece);
      await writing;
      writing = write(piece);
      // An error is thrown by the next `await`, which may follow late: it must not count as unhandled until then.
      writing.catch(() => undefined);
    }
  } finally {
    await writing;
  }
  const found = hash.digest('hex');
  if (sha256 !== undefined && sha256.toLowerCase() !== found) throw new StorageError('mismatch');
  return { bytes, sha256: found };
}
