import { join } from 'node:path';
import { diskStorage } from './disk.ts';
import { type DiskSpace, type DiskSpaceOptions, diskSpace } from './disk-space.ts';
import { diskPartialUploads, type PartialUploads } from './partial-uploads.ts';
import type { Storage } from './storage.ts';

/** Creates the file storage of an installation, below its data folder. */
export function createStorage(
  dataDir: string,
  options?: DiskSpaceOptions,
): { storage: Storage; parts: PartialUploads; disk: DiskSpace } {
  const disk = diskSpace(dataDir, options);
  return {
    storage: diskStorage(join(dataDir, 'files'), disk),
    parts: diskPartialUploads(join(dataDir, 'uploads'), disk),
    disk,
  };
}
