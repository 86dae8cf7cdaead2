import { createHash } from 'node:crypto';

// The objects of a backup repository:
//
//   backups/{id}/manifest.json          written last; a folder without it is an interrupted backup
//   backups/{id}/tables/{table}.copy.gz rows, as `COPY` writes them
//   backups/{id}/files.txt              the list of its files
//   backup-files/{owner}/{ab}/{sha256}  files, shared by all backups; owner is `plain`, or stands for the age recipient

/** The folder of a backup, with a slash at its end. */
export const backupFolder = (id: string) => `backups/${id}/`;
/** The key of the manifest of a backup. */
export const manifestKey = (id: string) => `${backupFolder(id)}manifest.json`;
/** The key of the rows of a table. */
export const tableKey = (id: string, table: string) => `${backupFolder(id)}tables/${table}.copy.gz`;
/** The key of the list of files. */
export const fileListKey = (id: string) => `${backupFolder(id)}files.txt`;

/** Folder of all files. The storage of an installation never uses this name. */
export const FILES = 'backup-files/';

/** The key of a file. Each recipient has files of its own, because no other identity decrypts them. */
export function fileKey(sha256: string, encryptedTo: string | null): string {
  const owner =
    encryptedTo === null ? 'plain' : createHash('sha256').update(encryptedTo).digest('hex').slice(0, 16);
  return `${FILES}${owner}/${sha256.slice(0, 2)}/${sha256}`;
}
