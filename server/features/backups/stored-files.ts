import { publicKeyOf } from '../../adapters/signing-key.ts';
import { BackupError } from './backup-error.ts';
import type { BackupOptions } from './backup-options.ts';
import type { NamedFile } from './dump-database.ts';
import { readFileList } from './file-list.ts';
import type { Manifest } from './manifest.ts';
import { fileKey, partKey, replacementKey } from './object-keys.ts';
import {
  countParts,
  measure,
  PART_BYTES,
  type Repository,
  readParts,
  type StoredPart,
  writePart,
} from './parts.ts';
import { listBackups } from './stored-backups.ts';

/** Objects of a file in the repository; undefined if the installation has lost the file. */
type Stored = { parts: readonly StoredPart[] | undefined; isNew: boolean };
type FilesByHash = Map<string, readonly StoredPart[]>;

/**
 * Returns a function that stores a file in the repository, unless the repository has it. What it has is known from the lists of
 * earlier backups, which tell sizes and hashes of encrypted objects, too.
 */
export async function storedFiles(
  options: BackupOptions,
): Promise<(file: Pick<NamedFile, 'sha256' | 'bytes' | 'key' | 'store'>) => Promise<Stored>> {
  const { repository, encryptedTo, rereads = false } = options;
  const [newest, ...older] = await ownBackups(options);
  const known = await filesOf(repository, newest === undefined ? [] : [newest]);
  let more: FilesByHash | undefined;
  /** Files that this backup has stored, or found to be sound. */
  const done: FilesByHash = new Map();

  async function find(sha256: string): Promise<readonly StoredPart[] | undefined> {
    const parts = known.get(sha256);
    if (parts !== undefined) return parts;
    // Nearly all others are new. Only if there is an object, an older backup may refer to it.
    if ((await repository.storage.head(fileKey(sha256, encryptedTo))) === undefined) return undefined;
    more ??= await filesOf(repository, older);
    return more.get(sha256);
  }

  return async function store(file) {
    const { sha256 } = file;
    const again = done.get(sha256);
    if (again !== undefined) return { parts: again, isNew: false };
    const found = await find(sha256);
    if (found !== undefined && (await isSound(repository, found, rereads))) {
      done.set(sha256, found);
      return { parts: found, isNew: false };
    }
    // Other backups refer to the damaged object, so it is not replaced but stored beside it.
    const key = found === undefined ? fileKey(sha256, encryptedTo) : replacementKey(sha256, encryptedTo);
    const parts =
      (await interrupted(repository, file, { key, encryptedTo })) ?? (await copy(options, file, key));
    if (parts !== undefined) done.set(sha256, parts);
    return { parts, isNew: parts !== undefined };
  };
}

/** The backups of this key and recipient, newest first. */
async function ownBackups({ repository, signingKey, encryptedTo }: BackupOptions): Promise<Manifest[]> {
  const found = await listBackups(repository, publicKeyOf(signingKey));
  return found.flatMap(({ manifest }) =>
    manifest !== undefined && manifest.encryptedTo === encryptedTo ? [manifest] : [],
  );
}

async function filesOf(repository: Repository, manifests: readonly Manifest[]): Promise<FilesByHash> {
  const files: FilesByHash = new Map();
  for (const manifest of manifests) {
    try {
      for (const { sha256, parts } of await readFileList(repository, manifest)) {
        if (!files.has(sha256)) files.set(sha256, parts);
      }
    } catch (error) {
      // Of a damaged backup nothing is used.
      if (!(error instanceof BackupError)) throw error;
    }
  }
  return files;
}

async function isSound(
  repository: Repository,
  parts: readonly StoredPart[],
  rereads: boolean,
): Promise<boolean> {
  for (const { key, bytes } of parts) {
    if ((await repository.storage.head(key))?.bytes !== bytes) return false;
  }
  if (!rereads) return true;
  try {
    await measure(readParts({ ...repository, cipher: undefined }, parts));
    return true;
  } catch (error) {
    if (error instanceof BackupError) return false;
    throw error;
  }
}

/** Finds a file that an interrupted backup has stored completely. Of encrypted objects that cannot be told. */
async function interrupted(
  repository: Repository,
  { sha256, bytes }: Pick<NamedFile, 'sha256' | 'bytes'>,
  { key, encryptedTo }: { key: string; encryptedTo: string | null },
): Promise<StoredPart[] | undefined> {
  if (encryptedTo !== null || (await repository.storage.head(key)) === undefined) return undefined;
  const partBytes = repository.partBytes ?? PART_BYTES;
  const parts: StoredPart[] = [];
  for (let n = 0; n < countParts(bytes, partBytes); n += 1) {
    const opened = await repository.storage.get(partKey(key, n));
    if (opened === undefined) return undefined;
    parts.push({ key: partKey(key, n), ...(await measure(opened.stream)) });
  }
  const whole = await measure(readParts({ ...repository, cipher: undefined }, parts));
  return whole.bytes === bytes && whole.sha256 === sha256 ? parts : undefined;
}

/** @returns undefined if the installation has lost the file */
async function copy(
  { stores, repository }: BackupOptions,
  file: Pick<NamedFile, 'bytes' | 'key' | 'store'>,
  key: string,
): Promise<StoredPart[] | undefined> {
  const partBytes = repository.partBytes ?? PART_BYTES;
  const parts: StoredPart[] = [];
  for (let n = 0; n < countParts(file.bytes, partBytes); n += 1) {
    const range = { start: n * partBytes, end: Math.min(file.bytes, (n + 1) * partBytes) - 1 };
    const opened = await stores[file.store]?.storage.get(file.key, file.bytes === 0 ? undefined : range);
    if (opened === undefined || opened.bytes !== file.bytes) {
      opened?.stream.destroy();
      return undefined;
    }
    parts.push(await writePart(repository, partKey(key, n), opened.stream, { overwrite: true }));
  }
  return parts;
}
