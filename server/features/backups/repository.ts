import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { diskStorage } from '../../adapters/storage/disk.ts';
import { diskSpace } from '../../adapters/storage/disk-space.ts';
import { s3Storage } from '../../adapters/storage/s3.ts';
import { createS3Client } from '../../adapters/storage/s3-requests.ts';
import type { Storage } from '../../adapters/storage/storage.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import type { Env } from '../../kernel/env.ts';
import { BackupError } from './backup-error.ts';
import { REPOSITORY_KEY } from './object-keys.ts';

const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/;

/**
 * Opens a backup repository: a folder, or `s3://bucket` with the service and keys of the `S3_…` settings.
 * @throws BackupError if the address is invalid, if these settings are missing, or if the installation stores its own files there
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
  const [real, data] = [realPathOf(folder), realPathOf(resolve(dataDir))];
  if (isWithin(real, data)) {
    throw new BackupError(`${folder} is inside DATA_DIR. Choose a folder outside, on another disk.`);
  }
  if (isWithin(data, real)) {
    throw new BackupError(`${folder} contains DATA_DIR. Choose a folder of its own, on another disk.`);
  }
  return diskStorage(folder, diskSpace(folder));
}

/** Returns the name of a repository in records: the same for each way to write its address. */
export function repositoryName(to: string): string {
  const [, bucket] = S3_ADDRESS.exec(to) ?? [];
  return bucket === undefined ? resolve(to) : `s3://${bucket}`;
}

function isWithin(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Resolves the symbolic links in a path, even if its last folders do not exist yet. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), path.slice(parent.length));
  }
}

const markerSchema = z.object({ installation: z.string() });

/**
 * Checks that a repository belongs to this installation, and writes the marker of a new one.
 * @param hasBackups whether this installation has made backups there, so that the marker must exist
 * @throws BackupError if it belongs to another installation, or if the marker is missing although it must exist
 */
export async function claimRepository(
  storage: Storage,
  { installation, hasBackups }: { installation: string; hasBackups: boolean },
): Promise<void> {
  const marked = await storage.get(REPOSITORY_KEY);
  if (marked !== undefined) {
    const marker = markerSchema.safeParse(parsed(await text(marked.stream))).data;
    if (marker?.installation === installation) return;
    throw new BackupError(
      'The repository belongs to another installation. Each needs a repository of its own.',
    );
  }
  if (hasBackups) {
    throw new BackupError(
      `Earlier backups are not there, nor is ${REPOSITORY_KEY}: is the disk of the repository mounted? If it is a new disk, run "npm run admin -- backup --new" once.`,
    );
  }
  const bytes = Buffer.from(`${JSON.stringify({ installation })}\n`);
  const options = { maxBytes: bytes.byteLength };
  await storage.put(REPOSITORY_KEY, withErrorListener(Readable.from([bytes])), options);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
