import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Storage } from '../../adapters/storage/storage.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { DamagedError } from './backup-error.ts';
import type { Cipher } from './encryption.ts';
import { partKey } from './object-keys.ts';

/** Maximum size of an object. S3 accepts 5 GiB per request, and a part is spooled to the disk first. */
export const PART_BYTES = 1024 ** 3;

/** Reading and writing in chunks of this size takes half the time of the usual 64 KiB where the disk's cache is cold. */
export const CHUNK_BYTES = 256 * 1024;

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

/** The number of parts of a file. An empty file has one. */
export function countParts(bytes: number, partBytes = PART_BYTES): number {
  return Math.max(1, Math.ceil(bytes / partBytes));
}

/** Writes one part, encrypted if the repository has a cipher. @throws StorageError `exists` */
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
 * Reads parts as the one stream that was written: compares each with its hash, and decrypts it if it is encrypted.
 * @param options.compare false if the caller compares the hash of the whole stream: hashing limits the speed of reading
 * @throws DamagedError if a part is missing or differs from the stored one, BackupError if it is encrypted to another key. Damage
 *   may be found only at the end, so use nothing of the stream before it has ended
 */
export function readParts(
  { storage, cipher, signal }: Repository,
  parts: readonly StoredPart[],
  { compare = true } = {},
): Readable {
  async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
    for (const part of parts) {
      const opened = await storage.get(part.key, undefined, { chunkBytes: CHUNK_BYTES });
      if (opened === undefined) throw new DamagedError(`It lacks ${part.key}.`);
      const source = untilAborted(opened.stream, signal);
      const stored = compare ? compared(source, part) : source;
      yield* cipher === undefined ? stored : await cipher.decrypt(stored, part.key);
    }
  }
  return withErrorListener(Readable.from(all(), { objectMode: false }));
}

async function* compared(
  source: AsyncIterable<Uint8Array>,
  { key, bytes, sha256 }: StoredPart,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const piece of source) {
    hash.update(piece);
    count += piece.byteLength;
    if (count > bytes) break;
    yield piece;
  }
  if (count !== bytes || hash.digest('hex') !== sha256) throw new DamagedError(`${key} is damaged.`);
}

/** Reads a stream to its end, and returns its size and hash. */
export async function measure(stream: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
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
    // Reads the next piece now, so that no empty part follows if the source has ended.
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
