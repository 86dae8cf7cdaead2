import { createHash } from 'node:crypto';
import { readFileList } from './file-list.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { fileKey } from './object-keys.ts';
import { countParts, PART_BYTES, partKey, type Repository, readParts, type StoredPart } from './parts.ts';

/**
 * Reads every object of a backup, and compares it with the manifest by hash.
 * @param repository without the identity, encrypted files are only checked to be there
 * @throws BackupError at the first thing that is missing or damaged
 */
export async function checkBackup(repository: Repository, manifest: Manifest): Promise<void> {
  for (const table of manifest.tables) await checkParts(repository, table.parts);
  await checkParts(repository, manifest.files.parts);
  const canRead = manifest.encryptedTo === null || repository.cipher !== undefined;
  const seen = new Set<string>();
  for await (const { sha256, bytes } of readFileList(repository, manifest)) {
    if (seen.has(sha256)) continue;
    seen.add(sha256);
    const keys = keysOfFile(repository, manifest, { sha256, bytes });
    if (canRead) await checkFile(repository, keys, { sha256, bytes });
    else await checkPresence(repository, keys);
  }
}

/** The keys of the parts of a file. */
export function keysOfFile(
  { partBytes = PART_BYTES }: Pick<Repository, 'partBytes'>,
  { encryptedTo }: Pick<Manifest, 'encryptedTo'>,
  { sha256, bytes }: { sha256: string; bytes: number },
): string[] {
  const key = fileKey(sha256, encryptedTo);
  return Array.from({ length: countParts(bytes, partBytes) }, (_, n) => partKey(key, n));
}

async function checkParts(repository: Repository, parts: readonly StoredPart[]): Promise<void> {
  for (const { key, bytes, sha256 } of parts) {
    const read = await measure(readParts({ ...repository, cipher: undefined }, [key]));
    if (read.bytes !== bytes || read.sha256 !== sha256) throw new BackupError(`${key} is damaged.`);
  }
}

async function checkFile(
  repository: Repository,
  keys: readonly string[],
  { sha256, bytes }: { sha256: string; bytes: number },
): Promise<void> {
  const read = await measure(readParts(repository, keys));
  if (read.bytes !== bytes || read.sha256 !== sha256) throw new BackupError(`${keys[0]} is damaged.`);
}

async function checkPresence({ storage }: Repository, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    if ((await storage.head(key)) === undefined) throw new BackupError(`It lacks ${key}.`);
  }
}

/** Reads a stream to its end, and returns its size and hash. */
export async function measure(stream: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}
