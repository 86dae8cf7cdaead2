import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STORAGE_DEFAULTS, type Storage } from '#server/adapters/storage/storage.ts';

const MAX = { maxBytes: 1_000_000 };

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function* pieces(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

/** Tests that every implementation of the storage must pass. */
export function storageContract(
  name: string,
  make: (options?: { capacity: number }) => Promise<Storage> | Storage,
): void {
  const text = Buffer.from('The quick brown fox jumps over the lazy dog');

  async function read(storage: Storage, key: string, range?: { start: number; end: number }) {
    const opened = await storage.get(key, range);
    if (opened === undefined) return undefined;
    const parts: Buffer[] = [];
    for await (const piece of opened.stream) parts.push(Buffer.from(piece));
    return { bytes: opened.bytes, text: Buffer.concat(parts).toString() };
  }

  describe(`storage ${name}`, () => {
    test('gives back what was put, with its length and hash', async () => {
      const storage = await make();
      const taken = await storage.put('a/b/c.txt', pieces(text), MAX);
      expect(taken).toEqual({ bytes: text.byteLength, sha256: sha256Of(text) });
      expect(await read(storage, 'a/b/c.txt')).toEqual({ bytes: text.byteLength, text: String(text) });
    });

    test('keeps an empty file', async () => {
      const storage = await make();
      await storage.put('empty', pieces(Buffer.alloc(0)), MAX);
      expect(await read(storage, 'empty')).toEqual({ bytes: 0, text: '' });
    });

    test.each([
      [{ start: 0, end: 2 }, 'The'],
      [{ start: 4, end: 8 }, 'quick'],
      [{ start: 40, end: 500 }, 'dog'],
    ])('gives the range %o, and says how long the whole is', async (range, part) => {
      const storage = await make();
      await storage.put('file', pieces(text), MAX);
      expect(await read(storage, 'file', range)).toEqual({ bytes: text.byteLength, text: part });
    });

    test('has nothing behind the end, and nothing that was never put', async () => {
      const storage = await make();
      await storage.put('file', pieces(text), MAX);
      expect(await storage.get('file', { start: text.byteLength, end: 99 })).toBeUndefined();
      expect(await storage.get('other')).toBeUndefined();
    });

    test('does not overwrite unless it is asked to', async () => {
      const storage = await make();
      await storage.put('file', pieces(text), MAX);
      const other = Buffer.from('other');
      await expect(storage.put('file', pieces(other), MAX)).rejects.toMatchObject({ code: 'exists' });
      expect((await read(storage, 'file'))?.text).toBe(String(text));
      await storage.put('file', pieces(other), { ...MAX, overwrite: true });
      expect((await read(storage, 'file'))?.text).toBe('other');
    });

    test('of many who put the same key at once, one wins', async () => {
      const storage = await make();
      const put = (n: number) => storage.put('file', pieces(Buffer.from(`${n}`.repeat(50))), MAX);
      const results = await Promise.allSettled([1, 2, 3, 4, 5].map(put));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await read(storage, 'file'))?.text).toMatch(/^(\d)\1{49}$/);
    });

    test('refuses what is too long or not what was promised, and keeps nothing of it', async () => {
      const storage = await make();
      await expect(storage.put('file', pieces(text), { maxBytes: 10 })).rejects.toMatchObject({
        code: 'too_large',
      });
      const wrong = { ...MAX, sha256: sha256Of(Buffer.from('else')) };
      await expect(storage.put('file', pieces(text), wrong)).rejects.toMatchObject({ code: 'mismatch' });
      expect(await storage.get('file')).toBeUndefined();
      expect((await storage.list('')).files).toEqual([]);
    });

    test('keeps nothing of a source that breaks off', async () => {
      const storage = await make();
      async function* broken() {
        yield text;
        throw new Error('the connection is gone');
      }
      await expect(storage.put('file', broken(), MAX)).rejects.toThrow('the connection is gone');
      expect((await storage.list('')).files).toEqual([]);
    });

    test('takes over a file of this machine, and does not overwrite unless it is asked to', async () => {
      const storage = await make();
      const folder = await mkdtemp(join(tmpdir(), 'lintel-adopted-'));
      const [first, second] = [join(folder, 'first'), join(folder, 'second')];
      await writeFile(first, text);
      await writeFile(second, 'other');
      await storage.adopt('a/file', first);
      expect((await read(storage, 'a/file'))?.text).toBe(String(text));
      await expect(storage.adopt('a/file', second)).rejects.toMatchObject({ code: 'exists' });
      await storage.adopt('a/file', second, { overwrite: true });
      expect((await read(storage, 'a/file'))?.text).toBe('other');
      expect(await readdir(folder)).toEqual([]);
      await rm(folder, { recursive: true });
    });

    test('says how long a file is without reading it', async () => {
      const storage = await make();
      await storage.put('file', pieces(text), MAX);
      expect(await storage.head('file')).toEqual({ bytes: text.byteLength });
      expect(await storage.head('other')).toBeUndefined();
    });

    test('deletes, also what is not there', async () => {
      const storage = await make();
      await storage.put('file', pieces(text), MAX);
      await storage.delete('file');
      await storage.delete('file');
      expect(await storage.get('file')).toBeUndefined();
    });

    test('lists by name, ascending, page by page', async () => {
      const storage = await make();
      for (const key of ['b/2', 'a/1', 'b/1', 'c']) await storage.put(key, pieces(text), MAX);
      const bytes = text.byteLength;
      const stored = (...keys: string[]) => keys.map((key) => ({ key, bytes, at: expect.any(Date) }));
      const all = stored('a/1', 'b/1', 'b/2', 'c');
      expect(await storage.list('')).toEqual({ files: all, next: undefined });
      expect((await storage.list('b/')).files).toEqual(stored('b/1', 'b/2'));
      const first = await storage.list('', { limit: 3 });
      expect(first.files).toEqual(stored('a/1', 'b/1', 'b/2'));
      expect(await storage.list('', { limit: 3, after: first.next })).toEqual({
        files: stored('c'),
        next: undefined,
      });
    });

    test('has defaults', async () => {
      expect(STORAGE_DEFAULTS).toEqual({ limit: 100, cacheSeconds: 3_600, overwrite: false });
      const storage = await make();
      for (let n = 100; n <= 200; n += 1) await storage.put(`n${n}`, pieces(Buffer.from('x')), MAX);
      const { files: listed, next } = await storage.list('');
      expect(listed).toHaveLength(100);
      expect(next).toBe('n199');
      const opened = await storage.get('n100');
      opened?.stream.destroy();
      expect(opened?.cacheSeconds).toBe(3_600);
    });

    test('says that it is full before it takes what does not fit', async () => {
      const storage = await make({ capacity: 0 });
      expect(await storage.free()).toBe(0);
      await expect(storage.put('file', pieces(text), MAX)).rejects.toMatchObject({ code: 'full' });
      expect((await storage.list('')).files).toEqual([]);
    });

    test.each(['', '/a', 'a//b', '../a', 'a/../b', 'a/.b', '.making/x', 'a\\b', 'a\0', 'ä', 'a b'])(
      'takes no key like %j',
      async (key) => {
        const storage = await make();
        await expect(storage.put(key, pieces(text), MAX)).rejects.toThrow(TypeError);
        await expect(storage.get(key)).rejects.toThrow(TypeError);
        await expect(storage.delete(key)).rejects.toThrow(TypeError);
      },
    );
  });
}
