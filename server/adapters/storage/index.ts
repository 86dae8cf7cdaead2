import { join } from 'node:path';
import { diskStorage } from './disk.ts';
import { type DiskSpace, type DiskSpaceOptions, diskSpace } from './disk-space.ts';
import { diskParts, type Parts } from './parts.ts';
import type { Storage } from './storage.ts';

/** What an installation keeps files in: the folder of its data. */
export function createStorage(
  dataDir: string,
  options?: DiskSpaceOptions,
): { storage: Storage; parts: Parts; disk: DiskSpace } {
  const disk = diskSpace(dataDir, options);
  return {
    storage: diskStorage(join(dataDir, 'files'), disk),
    parts: diskParts(join(dataDir, 'uploads'), disk),
    disk,
  };
}
