import { publicKeyOf } from '../../adapters/signing-key.ts';
import { BackupError, DamagedError } from './backup-error.ts';
import type { BackupOptions } from './backup-options.ts';
import type { NamedFile } from './dump-database.ts';
import { readFileList } from './file-list.ts';
import type { Manifest } from './manifest.ts';
import { fileKey, partKey, replacementKey } from './object-keys.ts';
import {
  CHUNK_BYTES,
  countParts,
  measure,
  PART_BYTES,
  type Repository,
  readParts,
  type StoredPart,
  writePart,
} from './parts.ts';
import { listBackups } from './stored-backups.ts';

/** Result of storing a file. `parts`: its objects in the repository; undefined if the installation has lost it. */
type Stored = { parts: readonly StoredPart[] | undefined; isNew: boolean };
type FilesByHash = Map<string, readonly StoredPart[]>;

/**
 * Returns a function that stores a file in the repository unless it is stored already. The lists of files of earlier
 * backups are used to find stored files, because they contain the sizes and hashes of encrypted objects, too.
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

  /**
   * @returns `parts`: the objects of the file according to the list of a backup of this key and recipient; `isTaken`: whether an
   *   object of this file exists, listed or not
   */
  async function find(
    sha256: string,
  ): Promise<{ parts?: readonly StoredPart[] | undefined; isTaken: boolean }> {
    const parts = known.get(sha256);
    if (parts !== undefined) return { parts, isTaken: true };
    // Nearly all other files are new. The lists of older backups are read only if such an object exists.
    if ((await repository.storage.head(fileKey(sha256, encryptedTo))) === undefined)
      return { isTaken: false };
    more ??= await filesOf(repository, older);
    return { parts: more.get(sha256), isTaken: true };
  }

  return async function store(file) {
    const { sha256 } = file;
    const again = done.get(sha256);
    if (again !== undefined) return { parts: again, isNew: false };
    const { parts: found, isTaken } = await find(sha256);
    if (found !== undefined && (await isSound(repository, found, rereads))) {
      done.set(sha256, found);
      return { parts: found, isNew: false };
    }
    // Another backup, such as one of an earlier signing key, may refer to the existing encrypted object. Encrypting the file
    // again gives a different ciphertext, whose hash would not match the list of that backup. So the object is not overwritten:
    // the file is stored under another key, as it is if the object is damaged.
    const isReplaced = found !== undefined || (isTaken && encryptedTo !== null);
    const key = isReplaced ? replacementKey(sha256, encryptedTo) : fileKey(sha256, encryptedTo);
    const kept = isTaken && !isReplaced ? await interrupted(repository, file, key) : undefined;
    const parts = kept ?? (await copy(options, file, key));
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
      // Nothing of a damaged backup is used.
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
    if (error instanceof DamagedError) return false;
    throw error;
  }
}

/** Finds a file that an interrupted backup has stored completely, without encryption. */
async function interrupted(
  repository: Repository,
  { sha256, bytes }: Pick<NamedFile, 'sha256' | 'bytes'>,
  key: string,
): Promise<StoredPart[] | undefined> {
  const partBytes = repository.partBytes ?? PART_BYTES;
  const parts: StoredPart[] = [];
  for (let n = 0; n < countParts(bytes, partBytes); n += 1) {
    const opened = await repository.storage.get(partKey(key, n), undefined, { chunkBytes: CHUNK_BYTES });
    if (opened === undefined) return undefined;
    parts.push({ key: partKey(key, n), ...(await measure(opened.stream)) });
  }
  const whole = await measure(readParts({ ...repository, cipher: undefined }, parts, { compare: false }));
  return whole.bytes === bytes && whole.sha256 === sha256 ? parts : undefined;
}

/** Copies a file into the repository. @returns undefined if the installation has lost the file */
async function copy(
  { stores, repository }: BackupOptions,
  file: Pick<NamedFile, 'bytes' | 'key' | 'store'>,
  key: string,
): Promise<StoredPart[] | undefined> {
  const partBytes = repository.partBytes ?? PART_BYTES;
  const parts: StoredPart[] = [];
  for (let n = 0; n < countParts(file.bytes, partBytes); n += 1) {
    const range = { start: n * partBytes, end: Math.min(file.bytes, (n + 1) * partBytes) - 1 };
    const stored = stores[file.store]?.storage;
    const opened = await stored?.get(file.key, file.bytes === 0 ? undefined : range, {
      chunkBytes: CHUNK_BYTES,
    });
    if (opened === undefined || opened.bytes !== file.bytes) {
      opened?.stream.destroy();
      return undefined;
    }
    parts.push(await writePart(repository, partKey(key, n), opened.stream, { overwrite: true }));
  }
  return parts;
}
