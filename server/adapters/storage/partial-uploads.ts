import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { withErrorListener } from '../with-error-listener.ts';
import { type DiskSpace, diskSpace } from './disk-space.ts';
import { type ByteRange, StorageError, toStorageError } from './storage.ts';
import { undefinedIfMissing } from './undefined-if-missing.ts';
import { writeBehind } from './write-behind.ts';

/** Uploads in progress, on this machine: after a broken connection an upload continues where it stopped. */
export interface PartialUploads {
  /** Bytes received so far; 0 for an unknown id. */
  size(id: string): Promise<number>;
  /**
   * Writes from an offset and drops the bytes stored beyond it. Of two writers of one upload the newer wins.
   * @param onStretch gets each run of bytes just before it is written; if it throws, the writer stops
   * @returns the number of bytes stored, also if the source broke off
   * @throws StorageError `gap` for an offset beyond the end, `too_large`, `full`; bytes written before stay
   */
  append(
    id: string,
    offset: number,
    source: Readable,
    maxBytes: number,
    onStretch?: (stretch: Uint8Array) => void,
  ): Promise<number>;
  /**
   * Copies the bytes that have arrived to a new file, so that a paused process that still writes to the old file changes
   * nothing.
   * @throws StorageError `full`; the bytes that have arrived stay
   */
  detach(id: string): Promise<void>;
  read(id: string, range?: ByteRange): Readable;
  /** Where the bytes of an upload are. */
  pathOf(id: string): string;
  delete(id: string): Promise<void>;
  /** Deletes uploads that have not grown since this moment, except those for which `isKnown` is true. */
  tidy(before: Date, isKnown?: (id: string) => Promise<boolean>): Promise<void>;
}

const ID_LENGTH = 36;

type Writer = { source: Readable; done: Promise<unknown> };

/** @param root a folder used for nothing else */
export function diskPartialUploads(root: string, space: DiskSpace = diskSpace(root)): PartialUploads {
  const writers = new Map<string, Writer>();
  const pathOf = (id: string) => {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new TypeError('That is no id of an upload');
    return join(root, `${id}.part`);
  };

  async function size(id: string): Promise<number> {
    return (await stat(pathOf(id)).catch(undefinedIfMissing))?.size ?? 0;
  }

  async function write(
    id: string,
    offset: number,
    source: Readable,
    maxBytes: number,
    onStretch: (stretch: Uint8Array) => void = () => undefined,
  ): Promise<number> {
    if (offset > (await size(id))) throw new StorageError('gap');
    const mayWrite = await space.begin();
    await mkdir(root, { recursive: true, mode: 0o700 });
    const file = await open(pathOf(id), offset === 0 ? 'w' : 'r+', 0o600);
    const writer = writeBehind(file, offset, onStretch);
    let end = offset;
    try {
      await file.truncate(offset);
      try {
        for await (const piece of source) {
          // The cast: a request's body yields buffers.
          const bytes = piece as Buffer;
          if (end + bytes.byteLength > maxBytes) throw new StorageError('too_large');
          await mayWrite(bytes.byteLength);
          end += bytes.byteLength;
          await writer.write(bytes);
        }
      } catch (error) {
        if (error instanceof StorageError || toStorageError(error) instanceof StorageError) throw error;
        // The connection broke: the bytes that have arrived stay.
      }
      await writer.flush();
      return end;
    } catch (error) {
      throw toStorageError(error);
    } finally {
      await writer.stop();
      await file.close();
    }
  }

  return {
    size,
    pathOf,
    async append(id, offset, source, maxBytes, onStretch) {
      const before = writers.get(id);
      // Registered before the first await, so that a third writer finds this one.
      const done = (async () => {
        before?.source.destroy();
        await before?.done.catch(() => undefined);
        return write(id, offset, source, maxBytes, onStretch);
      })();
      const mine = { source, done };
      writers.set(id, mine);
      try {
        return await done;
      } finally {
        if (writers.get(id) === mine) writers.delete(id);
      }
    },
    async detach(id) {
      const path = pathOf(id);
      const fresh = `${path}.fresh`;
      try {
        await copyFile(path, fresh, constants.COPYFILE_FICLONE);
        const file = await open(fresh, 'r+');
        await file.sync().finally(() => file.close());
        await rename(fresh, path);
      } catch (error) {
        await rm(fresh, { force: true });
        undefinedIfMissing(toStorageError(error));
      }
    },
    read: (id, range) => withErrorListener(createReadStream(pathOf(id), range)),
    async delete(id) {
      await rm(pathOf(id), { force: true });
    },
    async tidy(before, isKnown = async () => false) {
      for (const name of (await readdir(root).catch(undefinedIfMissing)) ?? []) {
        const found = await stat(join(root, name)).catch(undefinedIfMissing);
        if (found === undefined || found.mtime >= before) continue;
        if (!(await isKnown(name.slice(0, ID_LENGTH)))) await rm(join(root, name), { force: true });
      }
    },
  };
}
