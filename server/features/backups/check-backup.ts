import { DamagedError } from './backup-error.ts';
import type { ListedFile } from './file-list.ts';
import type { Manifest } from './manifest.ts';
import { measure, type Repository, readParts } from './parts.ts';

/**
 * Reads every object of a backup, and compares it with the hashes of the manifest and of the list of files.
 * @param repository without the identity, encrypted objects are compared as they are stored
 * @param files the list of files of the backup
 * @returns the damaged and missing files
 * @throws DamagedError if rows are damaged or missing, BackupError if the identity is that of another recipient
 */
export async function checkBackup(
  repository: Repository,
  manifest: Manifest,
  files: readonly ListedFile[],
): Promise<ListedFile[]> {
  for (const { parts } of manifest.tables) await measure(readParts(repository, parts));
  const sound = new Map<string, boolean>();
  const damaged: ListedFile[] = [];
  for (const file of files) {
    const object = file.parts[0]?.key ?? '';
    const isSound = sound.get(object) ?? (await isWhole(repository, manifest, file));
    sound.set(object, isSound);
    if (!isSound) damaged.push(file);
  }
  return damaged;
}

/** Whether the stored objects of a file are intact and, if they can be decrypted, contain the file. */
async function isWhole(
  repository: Repository,
  { encryptedTo }: Pick<Manifest, 'encryptedTo'>,
  { parts, bytes, sha256 }: ListedFile,
): Promise<boolean> {
  try {
    const isPlain = encryptedTo === null || repository.cipher !== undefined;
    const read = await measure(readParts(repository, parts, { compare: !isPlain }));
    return !isPlain || (read.bytes === bytes && read.sha256 === sha256);
  } catch (error) {
    if (error instanceof DamagedError) return false;
    throw error;
  }
}
