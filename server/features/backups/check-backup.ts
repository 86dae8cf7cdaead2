import { createHash } from 'node:crypto';
import { readFileList } from './file-list.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { fileKey } from './names.ts';
import { countParts, PART_BYTES, type Place, partKey, readParts, type StoredPart } from './parts.ts';

/**
 * Compares everything that a backup consists of with what its manifest says, by hashes.
 * @param place without its key only the sizes of encrypted files can be compared
 * @throws BackupError at the first thing that is missing or damaged
 */
export async function checkBackup(place: Place, manifest: Manifest): Promise<void> {
  for (const table of manifest.tables) await checkParts(place, table.parts);
  await checkParts(place, manifest.files.parts);
  const canRead = manifest.encryptedTo === null || place.cipher !== undefined;
  const seen = new Set<string>();
  for await (const { sha256, bytes } of readFileList(place, manifest)) {
    if (seen.has(sha256)) continue;
    seen.add(sha256);
    const keys = keysOfFile(place, manifest, { sha256, bytes });
    if (canRead) await checkFile(place, keys, { sha256, bytes });
    else await checkPresence(place, keys);
  }
}

/** The keys of the parts of a file. */
export function keysOfFile(
  { partBytes = PART_BYTES }: Pick<Place, 'partBytes'>,
  { encryptedTo }: Pick<Manifest, 'encryptedTo'>,
  { sha256, bytes }: { sha256: string; bytes: number },
): string[] {
  const key = fileKey(sha256, encryptedTo);
  return Array.from({ length: countParts(bytes, partBytes) }, (_, n) => partKey(key, n));
}

async function checkParts(place: Place, parts: readonly StoredPart[]): Promise<void> {
  for (const { key, bytes, sha256 } of parts) {
    const read = await measure(readParts({ ...place, cipher: undefined }, [key]));
    if (read.bytes !== bytes || read.sha256 !== sha256) throw new BackupError(`${key} is damaged.`);
  }
}

async function checkFile(
  place: Place,
  keys: readonly string[],
  { sha256, bytes }: { sha256: string; bytes: number },
): Promise<void> {
  const read = await measure(readParts(place, keys));
  if (read.bytes !== bytes || read.sha256 !== sha256) throw new BackupError(`${keys[0]} is damaged.`);
}

async function checkPresence({ storage }: Place, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    if ((await storage.head(key)) === undefined) throw new BackupError(`It lacks ${key}.`);
  }
}

/** Reads a stream to its end. */
export async function measure(stream: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}
