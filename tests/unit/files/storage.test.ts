import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { type DiskSpaceOptions, diskSpace } from '#server/adapters/storage/disk-space.ts';
import { diskPartialUploads } from '#server/adapters/storage/partial-uploads.ts';
import { StorageError } from '#server/adapters/storage/storage.ts';
import { storageContract } from '#tests/support/contracts/storage.ts';

const GIGABYTE = 1024 ** 3;
let folder: string;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-storage-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ownFolder = () => {
  made += 1;
  return join(folder, String(made));
};
const onDisk = (options: DiskSpaceOptions) => {
  const root = ownFolder();
  return diskStorage(root, diskSpace(root, options));
};
/** A disk whose free space shrinks with each piece, with a floor of 1,000,000 bytes. */
function smallDisk(room: number) {
  let left = room + 1_000_000;
  return {
    space: diskSpace(folder, { floor: 1_000_000, freeBytes: async () => left }),
    /** Pieces of a megabyte; the free space shrinks by each when the next one is requested. */
    async *pieces(count: number) {
      for (let n = 0; n < count; n += 1) {
        yield Buffer.alloc(1_000_000);
        left -= 1_000_000;
      }
    },
  };
}

storageContract('on the disk', (options) =>
  onDisk({ floor: 1, freeBytes: async () => (options?.capacity ?? GIGABYTE) + 1 }),
);

describe('the disk', () => {
  test('keeps what it needs for itself free', async () => {
    const storage = onDisk({ floor: 1000, freeBytes: async () => 900 });
    expect(await storage.free()).toBe(0);
  });

  test('is looked at while a file is written, and takes nothing below its floor', async () => {
    const { space, pieces } = smallDisk(4_500_000);
    const storage = diskStorage(ownFolder(), space);
    await storage.put('fits', pieces(4), { maxBytes: 9_000_000 });
    const more = storage.put('does-not', pieces(4), { maxBytes: 9_000_000 });
    await expect(more).rejects.toMatchObject({ code: 'full' });
    expect((await storage.list('')).files.map(({ key }) => key)).toEqual(['fits']);
  });

  test('is found full also while a slow sender is waited for', async () => {
    async function* slowly() {
      yield Buffer.alloc(1);
      await new Promise((resolve) => setImmediate(resolve));
      yield Buffer.alloc(1);
    }
    const full = () => Promise.reject(new StorageError('full'));
    const storage = diskStorage(ownFolder(), { ...diskSpace(folder), begin: async () => full });
    await expect(storage.put('slow', slowly(), { maxBytes: 9 })).rejects.toMatchObject({ code: 'full' });
  });

  test('lists in the order of whole keys, whatever the folders are', async () => {
    const storage = onDisk({ floor: 0 });
    const keys = ['a-z', 'a.z', 'a/1', 'a/1-', 'a/b/c', 'a0', 'b'];
    for (const key of keys.toReversed())
      await storage.put(key, Readable.from([Buffer.from('x')]), { maxBytes: 9 });
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await storage.list('', { limit: 2, after });
      found.push(...page.files.map(({ key }) => key));
      after = page.next;
    } while (after !== undefined);
    expect(found).toEqual(keys);
  });

  test('asks the nearest folder that is there how much is free', async () => {
    expect(await diskSpace(join(ownFolder(), 'deep', 'down'), { floor: 0 }).forFiles()).toBeGreaterThan(0);
  });

  test('removes what writing that was cut off has left, and nothing younger', async () => {
    const root = ownFolder();
    const storage = diskStorage(root, diskSpace(root, { floor: 0 }));
    await storage.put('kept', Readable.from([Buffer.from('x')]), { maxBytes: 9 });
    const leftOver = join(root, '.making', 'left-over');
    await writeFile(leftOver, 'half');
    const { mtime } = await stat(leftOver);
    await storage.tidy(mtime);
    expect(await readdir(join(root, '.making'))).toEqual(['left-over']);
    await storage.tidy(new Date(mtime.getTime() + 1));
    expect(await readdir(join(root, '.making'))).toEqual([]);
    expect((await storage.list('')).files).toEqual([{ key: 'kept', bytes: 1, at: expect.any(Date) }]);
  });
});

describe('parts', () => {
  const ID = '0199a000-0000-7000-8000-000000000001';
  const source = (text: string) => Readable.from([Buffer.from(text)], { objectMode: false });

  async function textOf(stream: Readable): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  }

  test('grow from where they are, and drop what stood behind an offset', async () => {
    const parts = diskPartialUploads(ownFolder());
    expect(await parts.size(ID)).toBe(0);
    expect(await parts.append(ID, 0, source('hello '), 100)).toBe(6);
    expect(await parts.append(ID, 6, source('wurld'), 100)).toBe(11);
    expect(await parts.append(ID, 7, source('orld'), 100)).toBe(11);
    expect(await textOf(parts.read(ID))).toBe('hello world');
    await expect(parts.append(ID, 12, source('!'), 100)).rejects.toMatchObject({ code: 'gap' });
    await parts.delete(ID);
    expect(await parts.size(ID)).toBe(0);
  });

  test('keep what a connection brought before it broke', async () => {
    const parts = diskPartialUploads(ownFolder());
    const connection = new PassThrough();
    const writing = parts.append(ID, 0, connection, 100);
    connection.write('half of ');
    await expect.poll(() => parts.size(ID)).toBe(8);
    connection.destroy(new Error('aborted'));
    expect(await writing).toBe(8);
    expect(await parts.append(ID, 8, source('it'), 100)).toBe(10);
    expect(await textOf(parts.read(ID))).toBe('half of it');
  });

  test('take nothing below the floor of the disk, and keep what came before', async () => {
    const { space, pieces } = smallDisk(3_500_000);
    const parts = diskPartialUploads(ownFolder(), space);
    const arriving = Readable.from(pieces(10), { objectMode: false });
    await expect(parts.append(ID, 0, arriving, 15_000_000)).rejects.toMatchObject({ code: 'full' });
    // The stream reads ahead of the writes.
    expect(await parts.size(ID)).toBeGreaterThan(0);
    expect(await parts.size(ID)).toBeLessThanOrEqual(3_000_000);
  });

  test('take nothing beyond the announced length', async () => {
    const parts = diskPartialUploads(ownFolder());
    await expect(parts.append(ID, 0, source('too long'), 4)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('are written in order, however small and fast the pieces come, and with empty ones among them', async () => {
    const parts = diskPartialUploads(ownFolder());
    const pieces = Array.from({ length: 400 }, (_, n) => Buffer.alloc((n * 7_919) % 12_007, `${n} `));
    pieces.splice(200, 0, Buffer.alloc(0), Buffer.alloc(0));
    const whole = Buffer.concat(pieces);
    const stretches: Buffer[] = [];
    // In object mode each piece arrives as it is, even an empty piece.
    const source = Readable.from(pieces);
    const written = await parts.append(ID, 0, source, whole.byteLength, (stretch) => {
      stretches.push(Buffer.from(stretch));
    });
    expect(written).toBe(whole.byteLength);
    expect(Buffer.concat(stretches).equals(whole)).toBe(true);
    expect((await readFile(parts.pathOf(ID))).equals(whole)).toBe(true);
    expect(stretches.length).toBeLessThan(pieces.length);
  });

  test('end where the owner of a stretch refuses it, and write nothing after it', async () => {
    const parts = diskPartialUploads(ownFolder());
    let stretches = 0;
    const refuse = () => {
      stretches += 1;
      if (stretches === 2) throw new StorageError('fenced');
    };
    async function* slowly() {
      for (let n = 0; n < 4; n += 1) {
        yield Buffer.alloc(100, n);
        await expect.poll(() => parts.size(ID)).toBe(100);
      }
    }
    await expect(parts.append(ID, 0, Readable.from(slowly()), 400, refuse)).rejects.toMatchObject({
      code: 'fenced',
    });
    expect(await parts.size(ID)).toBe(100);
  });

  test('are written by one at a time: the newer wins over a connection that hangs', async () => {
    const parts = diskPartialUploads(ownFolder());
    const hanging = new PassThrough();
    const old = parts.append(ID, 0, hanging, 100);
    hanging.write('xx');
    await expect.poll(() => parts.size(ID)).toBe(2);
    expect(await parts.append(ID, 0, source('new'), 100)).toBe(3);
    expect(await old).toBe(2);
    expect(await textOf(parts.read(ID))).toBe('new');
  });

  test('of any other name are refused', async () => {
    const parts = diskPartialUploads(ownFolder());
    await expect(parts.size('../../etc/passwd')).rejects.toThrow(TypeError);
  });
});
