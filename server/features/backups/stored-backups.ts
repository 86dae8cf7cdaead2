import { text } from 'node:stream/consumers';
import type { Storage } from '../../adapters/storage/storage.ts';
import { keysOfFile } from './check-backup.ts';
import { readFileList } from './file-list.ts';
import { BackupError, type Manifest, readManifest } from './manifest.ts';
import { FILES, manifestKey } from './object-keys.ts';
import type { Repository } from './parts.ts';
import { backupsToKeep } from './retention.ts';

/** Objects that no backup refers to are spared for this long, because a running backup may have written them. */
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
  for await (const { key } of filesOf(storage, 'backups/')) {
    const [, id] = /^backups\/([^/]+)\/manifest\.json$/.exec(key) ?? [];
    if (id === undefined) continue;
    try {
      found.push({ id, manifest: await loadManifest({ storage }, id, expectedKey) });
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      found.push({ id, problem: error.message });
    }
  }
  // An id begins with the time of the backup.
  return found.sort((a, b) => (a.id > b.id ? -1 : 1));
}

/** @throws BackupError if there is no such backup, or its manifest is damaged or signed by another key */
export async function loadManifest(
  { storage }: Pick<Repository, 'storage'>,
  id: string,
  expectedKey?: string,
): Promise<Manifest> {
  const opened = await storage.get(manifestKey(id));
  if (opened === undefined) throw new BackupError(`There is no backup ${id}.`);
  const manifest = readManifest(await text(opened.stream), expectedKey);
  // A validly signed manifest that was copied to another id would restore the wrong rows.
  if (manifest.id !== id) throw new BackupError(`The manifest of ${id} is that of ${manifest.id}.`);
  return manifest;
}

/**
 * Deletes the backups that the retention no longer keeps, the remains of interrupted ones, and files that no remaining backup
 * refers to. Backups that cannot be read, or are signed by another key, are left alone; then so are all files, because these
 * backups may refer to them.
 * @param publicKey of the key that signs the backups of this installation
 * @returns the ids of the deleted ones
 */
export async function pruneBackups(repository: Repository, publicKey: string, now: Date): Promise<string[]> {
  const { storage } = repository;
  const sparedFrom = new Date(now.getTime() - SPARED_MS);
  await storage.tidy(sparedFrom);
  const found = await listBackups(repository, publicKey);
  const manifests = found.flatMap(({ manifest }) => (manifest === undefined ? [] : [manifest]));
  const kept = backupsToKeep(manifests);
  const gone = manifests.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  const known = new Set(found.map(({ id }) => id).filter((id) => !gone.includes(id)));
  const isOld = ({ at }: { at: Date }) => at < sparedFrom;
  // The manifest first: an interruption then leaves no incomplete backup.
  for (const id of gone) await storage.delete(manifestKey(id));
  for await (const file of filesOf(storage, 'backups/')) {
    const [, id = ''] = file.key.split('/');
    if (gone.includes(id) || (!known.has(id) && isOld(file))) await storage.delete(file.key);
  }
  if (gone.length === 0 || manifests.length < found.length) return gone;
  const named = await keysOfFiles(
    repository,
    manifests.filter(({ id }) => kept.has(id)),
  );
  if (named === undefined) return gone;
  for await (const file of filesOf(storage, FILES)) {
    if (!named.has(file.key) && isOld(file)) await storage.delete(file.key);
  }
  return gone;
}

/** The keys of all files that the backups refer to; undefined if the list of one is missing. */
async function keysOfFiles(
  repository: Repository,
  manifests: readonly Manifest[],
): Promise<Set<string> | undefined> {
  const named = new Set<string>();
  try {
    for (const manifest of manifests) {
      for await (const file of readFileList(repository, manifest)) {
        for (const key of keysOfFile(repository, manifest, file)) named.add(key);
      }
    }
  } catch (error) {
    if (error instanceof BackupError) return undefined;
    throw error;
  }
  return named;
}

async function* filesOf(storage: Storage, prefix: string) {
  let after: string | undefined;
  do {
    const page = await storage.list(prefix, { limit: 1_000, after });
    yield* page.files;
    after = page.next;
  } while (after !== undefined);
}
