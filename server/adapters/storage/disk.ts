import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withErrorListener } from '../with-error-listener.ts';
import { type DiskSpace, diskSpace } from './disk-space.ts';
import { readMeasured } from './measured.ts';
import { assertKey, STORAGE_DEFAULTS, type Storage, type StoredFile, toStorageError } from './storage.ts';
import { undefinedIfMissing } from './undefined-if-missing.ts';

/** Folder of unfinished files. Its name begins with a dot, so that it cannot be the beginning of a key. */
const MAKING = '.making';
/** Bytes that are read at once unless the reader asks for more: Node's own default. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Stores files below one folder of this machine. A file is written under a temporary name, synced, and then renamed.
 */
export function diskStorage(root: string, space: DiskSpace = diskSpace(root)): Storage {
  const pathOf = (key: string) => {
    assertKey(key);
    return join(root, ...key.split('/'));
  };

  return {
    async put(key, source, options) {
      const path = pathOf(key);
      const mayWrite = await space.begin();
      const making = join(root, MAKING, randomUUID());
      await mkdir(dirname(making), { recursive: true, mode: 0o700 });
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        const file = await open(making, 'wx', 0o600);
        try {
          const taken = await readMeasured(source, options, async (piece) => {
            await mayWrite(piece.byteLength);
            await file.appendFile(piece);
          });
          await file.sync();
          await giveName(making, path, options.overwrite ?? STORAGE_DEFAULTS.overwrite);
          return taken;
        } finally {
          await file.close();
        }
      } catch (error) {
        throw toStorageError(error);
      } finally {
        await rm(making, { force: true });
      }
    },
    async adopt(key, path, { overwrite = STORAGE_DEFAULTS.overwrite } = {}) {
      const target = pathOf(key);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await giveName(path, target, overwrite).catch((error: unknown) => {
        throw toStorageError(error);
      });
    },
    async head(key) {
      const found = await stat(pathOf(key)).catch(undefinedIfMissing);
      return found && { bytes: found.size };
    },
    async get(key, range, { chunkBytes = CHUNK_BYTES } = {}) {
      const path = pathOf(key);
      const found = await stat(path).catch(undefinedIfMissing);
      if (found === undefined || (range !== undefined && range.start >= found.size)) return undefined;
      return {
        bytes: found.size,
        cacheSeconds: STORAGE_DEFAULTS.cacheSeconds,
        stream: withErrorListener(createReadStream(path, { ...range, highWaterMark: chunkBytes })),
      };
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
    async list(prefix, { limit = STORAGE_DEFAULTS.limit, after } = {}) {
      const files: StoredFile[] = [];
      for await (const key of keysBelow(root, '', prefix, after ?? '')) {
        if (files.length === limit) return { files, next: files.at(-1)?.key };
        const found = await stat(pathOf(key)).catch(undefinedIfMissing);
        if (found !== undefined) files.push({ key, bytes: found.size, at: found.mtime });
      }
      return { files, next: undefined };
    },
    free: space.forFiles,
    async tidy(before) {
      for (const name of (await readdir(join(root, MAKING)).catch(undefinedIfMissing)) ?? []) {
        const path = join(root, MAKING, name);
        const found = await stat(path).catch(undefinedIfMissing);
        if (found !== undefined && found.mtime < before) await rm(path, { force: true });
      }
    },
  };
}

/** Renames a finished file to its final name, so that readers only find complete files. */
async function giveName(making: string, path: string, overwrite: boolean): Promise<void> {
  if (overwrite) {
    await rename(making, path);
  } else {
    // Unlike rename, link fails atomically if the name is taken.
    await link(making, path);
    await unlink(making);
  }
  await syncFolder(dirname(path));
}

/** Syncs a folder, which makes a new name durable. Windows cannot do this, and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Walks the keys that begin with `prefix` and come after `after`, in their order, one folder at a time. */
async function* keysBelow(
  root: string,
  folder: string,
  prefix: string,
  after: string,
): AsyncGenerator<string> {
  const entries =
    (await readdir(join(root, folder), { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
  const names = entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort();
  for (const name of names) {
    const isFolder = name.endsWith('/');
    const mayMatch = name.startsWith(prefix) || (isFolder && prefix.startsWith(name));
    const mayFollow = name > after || (isFolder && after.startsWith(name));
    if (!mayMatch || !mayFollow) continue;
    if (isFolder) yield* keysBelow(root, name, prefix, after);
    else yield name;
  }
}
