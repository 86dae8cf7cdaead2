import { join } from 'node:path';
import { diskStorage } from './disk.ts';
import { diskParts, type Parts } from './parts.ts';
import type { Storage } from './storage.ts';

/** What an installation keeps files in: the folder of its data. */
export function createStorage(dataDir: string): { storage: Storage; parts: Parts } {
  return { storage: diskStorage(join(dataDir, 'files')), parts: diskParts(join(dataDir, 'uploads')) };
}
