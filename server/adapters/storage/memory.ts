import { readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { readMeasured } from './measured.ts';
import { assertKey, STORAGE_DEFAULTS, type Storage, StorageError } from './storage.ts';

/** Stores files in memory, for tests. */
export function memoryStorage({ capacity = Number.POSITIVE_INFINITY } = {}): Storage {
  const files = new Map<string, Buffer>();
  const used = () => [...files.values()].reduce((sum, file) => sum + file.byteLength, 0);

  return {
    async put(key, source, options) {
      assertKey(key);
      const pieces: Uint8Array[] = [];
      const taken = await readMeasured(source, options, (piece) => void pieces.push(Uint8Array.from(piece)));
      if (used() + taken.bytes > capacity) throw new StorageError('full');
      const overwrite = options.overwrite ?? STORAGE_DEFAULTS.overwrite;
      if (files.has(key) && !overwrite) throw new StorageError('exists');
      files.set(key, Buffer.concat(pieces));
      return taken;
    },
    async get(key, range) {
      assertKey(key);
      const file = files.get(key);
      if (file === undefined || (range !== undefined && range.start >= file.byteLength)) return undefined;
      const part = range === undefined ? file : file.subarray(range.start, range.end + 1);
      return {
        bytes: file.byteLength,
        cacheSeconds: STORAGE_DEFAULTS.cacheSeconds,
        stream: Readable.from([part], { objectMode: false }),
      };
    },
    async adopt(key, path, { overwrite = STORAGE_DEFAULTS.overwrite } = {}) {
      assertKey(key);
      if (files.has(key) && !overwrite) throw new StorageError('exists');
      files.set(key, await readFile(path));
      await rm(path);
    },
    async head(key) {
      assertKey(key);
      const file = files.get(key);
      return file && { bytes: file.byteLength };
    },
    async delete(key) {
      assertKey(key);
      files.delete(key);
    },
    async list(prefix, { limit = STORAGE_DEFAULTS.limit, after = '' } = {}) {
      const all = [...files]
        .filter(([key]) => key.startsWith(prefix) && key > after)
        .map(([key, file]) => ({ key, bytes: file.byteLength, at: new Date() }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      const page = all.slice(0, limit);
      return { files: page, next: all.length > limit ? page.at(-1)?.key : undefined };
    },
    async free() {
      return capacity - used();
    },
    async tidy() {},
  };
}
