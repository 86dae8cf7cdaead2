import { isAbsolute, join, resolve, sep } from 'node:path';
import { diskStorage } from '../../adapters/storage/disk.ts';
import { diskSpace } from '../../adapters/storage/disk-space.ts';
import { s3Storage } from '../../adapters/storage/s3.ts';
import { createS3Client } from '../../adapters/storage/s3-requests.ts';
import type { Storage } from '../../adapters/storage/storage.ts';
import type { Env } from '../../kernel/env.ts';
import { BackupError } from './manifest.ts';

const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/;

/**
 * Opens a backup repository: a folder, or `s3://bucket` with the service and keys of the `S3_…` settings.
 * @throws BackupError if the address is invalid, if these settings are missing, or if the installation keeps its own files there
 */
export function openRepository(
  to: string | undefined,
  { dataDir, s3, s3Access }: Pick<Env, 'dataDir' | 's3' | 's3Access'>,
): Storage {
  if (to === undefined || to === '') {
    throw new BackupError('Name a folder or s3://bucket, or set BACKUP_TO.');
  }
  const [, bucket] = S3_ADDRESS.exec(to) ?? [];
  if (bucket !== undefined) {
    if (s3Access === undefined) {
      throw new BackupError(
        'A bucket needs S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, which are not set.',
      );
    }
    if (s3?.bucket === bucket) {
      throw new BackupError(
        `${bucket} is the bucket of the documents and photos. Backups need a bucket of their own.`,
      );
    }
    const spool = join(dataDir, 'spool', 'backup');
    return s3Storage(createS3Client({ ...s3Access, bucket }), spool, diskSpace(dataDir));
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(to) && !isAbsolute(to)) {
    throw new BackupError(`${to} is neither a folder nor s3://bucket.`);
  }
  const folder = resolve(to);
  if (`${folder}${sep}`.startsWith(`${resolve(dataDir)}${sep}`)) {
    throw new BackupError(`${folder} is inside DATA_DIR. Choose a folder outside, on another disk.`);
  }
  return diskStorage(folder, diskSpace(folder));
}
