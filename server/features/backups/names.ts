import { createHash } from 'node:crypto';

// The keys of what a place of backups holds:
//
//   backups/{id}/manifest.json          written last: without it there is no backup
//   backups/{id}/tables/{table}.copy.gz rows, as `COPY` writes them
//   backups/{id}/files.txt              the files that its rows name
//   backup-files/{owner}/{ab}/{sha256}  the bytes of files, of all backups; `plain`, or by the recipient they are encrypted to

/** The folder of a backup, with a slash at its end. */
export const backupFolder = (id: string) => `backups/${id}/`;
/** The key of the manifest of a backup. */
export const manifestKey = (id: string) => `${backupFolder(id)}manifest.json`;
/** The key of the rows of a table. */
export const tableKey = (id: string, table: string) => `${backupFolder(id)}tables/${table}.copy.gz`;
/** The key of the list of files. */
export const fileListKey = (id: string) => `${backupFolder(id)}files.txt`;

/** The folder of the files of all backups. No installation keeps its own files under this name. */
export const FILES = 'backup-files/';

/** The key of a file. Files for another recipient are others, because the former key would not open them. */
export function fileKey(sha256: string, encryptedTo: string | null): string {
  const owner =
    encryptedTo === null ? 'plain' : createHash('sha256').update(encryptedTo).digest('hex').slice(0, 16);
  return `${FILES}${owner}/${sha256.slice(0, 2)}/${sha256}`;
}
