import { createHash, randomBytes } from 'node:crypto';

// The objects of a backup repository:
//
//   backup-repository.json                to which installation the repository belongs
//   backups/{id}/manifest.json            written last; a folder without it is an interrupted backup
//   backups/{id}/tables/{table}.copy.gz   rows, as `COPY` writes them
//   backups/{id}/files.txt                the list of its files
//   backup-files/{owner}/{ab}/{sha256}    files, shared by all backups; owner is `plain` or a hash of the age recipient
//
// Objects larger than a gigabyte are split into parts: `…copy.gz.1`. No other objects of a repository are ever deleted.

export const REPOSITORY_KEY = 'backup-repository.json';
/** Folder of all backups. */
export const BACKUPS = 'backups/';
/** Folder of all files. The storage of an installation never uses this name. */
export const FILES = 'backup-files/';

const ID = String.raw`\d{8}T\d{6}Z-[0-9a-f]{8}`;
const BACKUP_OBJECT = new RegExp(
  `^${BACKUPS}(${ID})/(?:manifest\\.json|(?:files\\.txt|tables/[a-z0-9_]+\\.copy\\.gz)(?:\\.\\d+)?)$`,
);
const FILE_OBJECT = new RegExp(
  `^${FILES}(?:plain|[0-9a-f]{16})/[0-9a-f]{2}/[0-9a-f]{64}(?:-[0-9a-f]{8})?(?:\\.\\d+)?$`,
);

/** A new id, which begins with the time of the backup. */
export function newBackupId(at: Date): string {
  return `${at.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;
}

export function isBackupId(text: string): boolean {
  return new RegExp(`^${ID}$`).test(text);
}

/** Returns the id of the backup that an object belongs to; undefined if it belongs to none. */
export function backupIdOf(key: string): string | undefined {
  return BACKUP_OBJECT.exec(key)?.[1];
}

/** Whether a key is one of a stored file, or a part of it. */
export function isFileObject(key: string): boolean {
  return FILE_OBJECT.test(key);
}

/** The folder of a backup, with a slash at its end. */
export const backupFolder = (id: string) => `${BACKUPS}${id}/`;
/** The key of the manifest of a backup. */
export const manifestKey = (id: string) => `${backupFolder(id)}manifest.json`;
/** The key of the rows of a table. */
export const tableKey = (id: string, table: string) => `${backupFolder(id)}tables/${table}.copy.gz`;
/** The key of the list of files. */
export const fileListKey = (id: string) => `${backupFolder(id)}files.txt`;

/** The key of a file. Each recipient has files of its own, because no other identity decrypts them. */
export function fileKey(sha256: string, encryptedTo: string | null): string {
  const owner =
    encryptedTo === null ? 'plain' : createHash('sha256').update(encryptedTo).digest('hex').slice(0, 16);
  return `${FILES}${owner}/${sha256.slice(0, 2)}/${sha256}`;
}

/** The key of part n of an object, from 0. Part 0 has no suffix. */
export function partKey(key: string, n: number): string {
  return n === 0 ? key : `${key}.${n}`;
}

/** Returns another key for a file whose object must not be replaced, because other backups refer to it. */
export function replacementKey(sha256: string, encryptedTo: string | null): string {
  return `${fileKey(sha256, encryptedTo)}-${randomBytes(4).toString('hex')}`;
}
