import { Readable } from 'node:stream';
import type { Storage } from '../../adapters/storage/storage.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import type { Cipher } from './encryption.ts';
import { BackupError } from './manifest.ts';

/** Maximum size of an object. S3 accepts 5 GiB per request, and a part is spooled to the disk first. */
export const PART_BYTES = 1024 ** 3;

/** A stored object, with its size and hash as stored. */
export type StoredPart = { key: string; bytes: number; sha256: string };

/** Where backups are written and read. */
export type Repository = {
  storage: Storage;
  cipher: Cipher | undefined;
  /** For tests. */
  partBytes?: number;
  signal?: AbortSignal;
};

/** The key of part n, from 0. Part 0 has no suffix. */
export function partKey(key: string, n: number): string {
  return n === 0 ? key : `${key}.${n}`;
}

/** The number of parts of a file. An empty file has one. */
export function countParts(bytes: number, partBytes = PART_BYTES): number {
  return Math.max(1, Math.ceil(bytes / partBytes));
}

/** Writes one part, encrypted if the repository says so. @throws StorageError `exists` */
export async function writePart(
  { storage, cipher, signal }: Repository,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { overwrite = false } = {},
): Promise<StoredPart> {
  const checked = untilAborted(source, signal);
  const stored = cipher === undefined ? checked : await cipher.encrypt(checked);
  const { bytes, sha256 } = await storage.put(key, stored, { maxBytes: Number.MAX_SAFE_INTEGER, overwrite });
  return { key, bytes, sha256 };
}

/** Writes a stream of unknown length in parts. */
export async function writeParts(
  repository: Repository,
  key: string,
  source: AsyncIterable<Uint8Array>,
): Promise<StoredPart[]> {
  const parts: StoredPart[] = [];
  for await (const part of split(source, repository.partBytes ?? PART_BYTES)) {
    parts.push(await writePart(repository, partKey(key, parts.length), part));
  }
  return parts;
}

/**
 * Reads parts as the one stream that was written, decrypted if they are encrypted.
 * @throws BackupError if one is missing, or cannot be decrypted
 */
export function readParts({ storage, cipher, signal }: Repository, keys: readonly string[]): Readable {
  async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
    for (const key of keys) {
      const opened = await storage.get(key);
      if (opened === undefined) throw new BackupError(`It lacks ${key}.`);
      const plain = cipher === undefined ? opened.stream : await cipher.decrypt(opened.stream, key);
      yield* untilAborted(plain, signal);
    }
  }
  return withErrorListener(Readable.from(all(), { objectMode: false }));
}

/** Splits a stream into streams of at most `size` bytes. Read each to its end before asking for the next. */
async function* split(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<AsyncIterable<Uint8Array>, void, undefined> {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Uint8Array | undefined;
  let ended = false;

  async function* part(): AsyncGenerator<Uint8Array, void, undefined> {
    let left = size;
    while (left > 0) {
      if (rest === undefined) {
        const next = await pieces.next();
        if (next.done === true) {
          ended = true;
          return;
        }
        rest = next.value;
      }
      const piece: Uint8Array = rest.subarray(0, left);
      rest = piece.byteLength < rest.byteLength ? rest.subarray(piece.byteLength) : undefined;
      left -= piece.byteLength;
      yield piece;
    }
    // Looks ahead, so that no empty part follows.
    if (rest !== undefined) return;
    const next = await pieces.next();
    if (next.done === true) ended = true;
    else rest = next.value;
  }

  do yield part();
  while (!ended);
}

async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of source) {
    signal?.throwIfAborted();
    yield piece;
  }
}
