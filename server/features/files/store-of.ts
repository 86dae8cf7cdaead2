import type { FileStore } from '../../adapters/storage/index.ts';
import type { Services } from '../../kernel/context.ts';
import type { FileRow } from './files.writes.ts';

/**
 * The store that has the bytes of a file.
 * @throws Error if its bucket is no longer configured
 */
export function storeOf({ stores }: Pick<Services, 'stores'>, file: Pick<FileRow, 'store'>): FileStore {
  const store = stores[file.store];
  if (store === undefined) throw new Error('a file is on S3, but no bucket is configured');
  return store;
}
