import { text } from 'node:stream/consumers';
import type { Storage, StoredFile } from '../../adapters/storage/storage.ts';
import { BackupError } from './backup-error.ts';
import { readFileList } from './file-list.ts';
import { MANIFEST_MAX_BYTES, type Manifest, readManifest } from './manifest.ts';
import { BACKUPS, backupIdOf, FILES, isBackupId, isFileObject, manifestKey } from './object-keys.ts';
import type { Repository } from './parts.ts';
import { backupsToKeep } from './retention.ts';

/** Objects that no backup refers to are not deleted for this long, because a running backup may have written them. */
const SPARED_MS = 2 * 24 * 3_600_000;

/** A backup in a repository, or the problem with its manifest. */
export type FoundBackup =
  | { id: string; manifest: Manifest; problem?: never }
  | { id: string; manifest?: never; problem: string };

/**
 * Lists the backups of a repository, newest first.
 * @param expectedKey the public key that must have signed them; undefined: any
 */
export async function listBackups(
  { storage }: Pick<Repository, 'storage'>,
  expectedKey?: string,
): Promise<FoundBackup[]> {
  const found: FoundBackup[] = [];
  for await (const { key } of objectsOf(storage, BACKUPS)) {
    const id = backupIdOf(key);
    if (id === undefined || key !== manifestKey(id)) continue;
    try {
      found.push({ id, manifest: await loadManifest({ storage }, id, expectedKey) });
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      found.push({ id, problem: error.message });
    }
  }
  // Ids begin with the time of the backup in seconds; the manifest has milliseconds.
  const timeOf = ({ id, manifest }: FoundBackup) => `${id.split('-')[0]} ${manifest?.at ?? ''}`;
  return found.sort((a, b) => (timeOf(a) > timeOf(b) ? -1 : 1));
}

/**
 * Finds the newest backup. Never returns an older backup in place of one that cannot be read: otherwise damage would go
 * unnoticed, and an attacker with write access alone could have an old state restored.
 * @param now backups that were made later, by a clock that was ahead, are taken only if there are no others
 * @throws BackupError if there is none, or if a newer one cannot be read
 */
export async function newestBackup(
  repository: Pick<Repository, 'storage'>,
  { expectedKey, now }: { expectedKey: string | undefined; now: Date },
): Promise<Manifest> {
  const found = await listBackups(repository, expectedKey);
  const readable = found.flatMap(({ manifest }) => (manifest === undefined ? [] : [manifest]));
  const newest = readable.find(({ at }) => new Date(at) <= now) ?? readable[0];
  const unreadable = found.find(({ manifest }) => manifest === undefined);
  if (newest === undefined) {
    throw new BackupError(unreadable ? problemOf(unreadable) : 'The repository contains no backup.');
  }
  if (unreadable !== undefined && found.indexOf(unreadable) < found.findIndex(({ id }) => id === newest.id)) {
    throw new BackupError(`${problemOf(unreadable)} The newest that can be read is ${newest.id}.`);
  }
  return newest;
}

function problemOf({ id, problem }: FoundBackup): string {
  return `${id}: ${problem}`;
}

/** @throws BackupError if there is no such backup, or its manifest is damaged or signed by another key */
export async function loadManifest(
  { storage }: Pick<Repository, 'storage'>,
  id: string,
  expectedKey?: string,
): Promise<Manifest> {
  const opened = isBackupId(id) ? await storage.get(manifestKey(id)) : undefined;
  if (opened === undefined) throw new BackupError(`There is no backup ${id}.`);
  if (opened.bytes > MANIFEST_MAX_BYTES) {
    opened.stream.destroy();
    throw new BackupError('Its manifest is damaged.');
  }
  const manifest = readManifest(await text(opened.stream), expectedKey);
  // A validly signed manifest that was copied to another id would restore the wrong rows.
  if (manifest.id !== id) throw new BackupError(`The manifest of ${id} is that of ${manifest.id}.`);
  return manifest;
}

/**
 * Deletes the backups of an installation that the retention no longer keeps, the remains of interrupted ones, and files
 * that no remaining backup refers to. Backups that cannot be read or are signed by another key are kept, and so are all
 * files then, because these backups may refer to them. Objects that do not belong to backups are never deleted.
 * @param own the public key and the installation of the backups that may be deleted
 * @returns the ids of the deleted ones
 */
export async function pruneBackups(
  repository: Repository,
  own: { publicKey: string; installation: string },
  now: Date,
): Promise<string[]> {
  const { storage } = repository;
  const sparedFrom = new Date(now.getTime() - SPARED_MS);
  await storage.tidy(sparedFrom);
  const found = await listBackups(repository, own.publicKey);
  const manifests = found.flatMap(({ manifest }) => (manifest === undefined ? [] : [manifest]));
  const ours = manifests.filter(({ installation }) => installation === own.installation);
  const kept = backupsToKeep(ours);
  const gone = ours.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  const known = new Set(found.map(({ id }) => id).filter((id) => !gone.includes(id)));
  const isOld = ({ at }: StoredFile) => at < sparedFrom;
  // The manifest first: an interruption then leaves no incomplete backup.
  for (const id of gone) await storage.delete(manifestKey(id));
  for await (const object of objectsOf(storage, BACKUPS)) {
    const id = backupIdOf(object.key);
    if (id === undefined) continue;
    if (gone.includes(id) || (!known.has(id) && isOld(object))) await storage.delete(object.key);
  }
  if (manifests.length < found.length) return gone;
  const inUse = await objectsInUse(
    repository,
    manifests.filter(({ id }) => !gone.includes(id)),
  );
  if (inUse === undefined) return gone;
  for await (const object of objectsOf(storage, FILES)) {
    if (isFileObject(object.key) && !inUse.has(object.key) && isOld(object)) await storage.delete(object.key);
  }
  return gone;
}

/** Returns the keys of all stored files that the backups refer to; undefined if a list of files cannot be read. */
async function objectsInUse(
  repository: Repository,
  manifests: readonly Manifest[],
): Promise<Set<string> | undefined> {
  const keys = new Set<string>();
  try {
    for (const manifest of manifests) {
      for (const { parts } of await readFileList(repository, manifest)) {
        for (const { key } of parts) keys.add(key);
      }
    }
  } catch (error) {
    if (error instanceof BackupError) return undefined;
    throw error;
  }
  return keys;
}

/** Lists all objects whose keys begin with a prefix. */
export async function* objectsOf(storage: Storage, prefix: string): AsyncGenerator<StoredFile> {
  let after: string | undefined;
  do {
    const page = await storage.list(prefix, { limit: 1_000, after });
    yield* page.files;
    after = page.next;
  } while (after !== undefined);
}
