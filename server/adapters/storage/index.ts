import { join } from 'node:path';
import type { Arrivals } from './arrivals.ts';
import { diskStorage } from './disk.ts';
import { diskArrivals } from './disk-arrivals.ts';
import { type DiskSpace, type DiskSpaceOptions, diskSpace } from './disk-space.ts';
import type { PartLedger } from './part-ledger.ts';
import { diskPartialUploads } from './partial-uploads.ts';
import { s3Storage } from './s3.ts';
import { s3Arrivals } from './s3-arrivals.ts';
import { createS3Client, type S3Client, type S3Settings } from './s3-requests.ts';
import type { Storage } from './storage.ts';

/** A store of files, and the uploads to it. */
export type FileStore = { storage: Storage; arrivals: Arrivals };

/** The stores of an installation. Files stay in the store in which they were reserved. */
export type FileStores = {
  /** The store of new files. */
  preferred: 'disk' | 's3';
  disk: FileStore;
  /** Undefined if no bucket is configured. */
  s3: FileStore | undefined;
};

export type StorageSettings = { dataDir: string; fileStore: 'disk' | 's3'; s3?: S3Settings };

/**
 * Creates the file storage of an installation, below its data folder and in its bucket.
 * @param now the time for signing requests to the bucket
 */
export function createStorage(
  { dataDir, fileStore, s3 }: StorageSettings,
  ledger: PartLedger,
  options?: DiskSpaceOptions,
  now?: () => Date,
): { disk: DiskSpace; stores: FileStores } {
  const disk = diskSpace(dataDir, options);
  const storage = diskStorage(join(dataDir, 'files'), disk);
  const parts = diskPartialUploads(join(dataDir, 'uploads'), disk);
  const spool = join(dataDir, 'spool');
  return {
    disk,
    stores: {
      preferred: fileStore,
      disk: { storage, arrivals: diskArrivals(parts, storage) },
      s3: s3 && createS3Store(createS3Client(s3, now), ledger, { spool, space: disk }),
    },
  };
}

/** @param local the folder where parts are gathered before they are sent */
function createS3Store(
  client: S3Client,
  ledger: PartLedger,
  local: { spool: string; space: DiskSpace },
): FileStore {
  const storage = s3Storage(client, local.spool, local.space);
  return { storage, arrivals: s3Arrivals({ client, storage, ledger, ...local }) };
}
