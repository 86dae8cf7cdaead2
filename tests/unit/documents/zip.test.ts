import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type ZipEntry, zipOf } from '#server/http/downloads/zip.ts';
import { unzip } from '#tests/support/uploads/unzip.ts';

const modifiedAt = new Date('2026-03-04T05:06:08Z');

function fileOf(path: string, content: string, bytes = Buffer.byteLength(content)): ZipEntry {
  const open = async () => Readable.from([Buffer.from(content)]);
  return { path, modifiedAt, file: { bytes, open } };
}

async function piecesOf(entries: ZipEntry[]): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipOf(entries)) pieces.push(piece);
  return pieces;
}

describe('a ZIP file', () => {
  test('has its folders and files', async () => {
    const long = 'line\n'.repeat(50_000);
    const zip = Buffer.concat(
      await piecesOf([
        { path: 'Pläne/', modifiedAt, file: null },
        fileOf('Pläne/eins.txt', 'one'),
        fileOf('Pläne/long.txt', long),
        fileOf('empty.txt', ''),
      ]),
    );
    expect(unzip(zip)).toEqual({
      'Pläne/': '',
      'Pläne/eins.txt': 'one',
      'Pläne/long.txt': long,
      'empty.txt': '',
    });
  });

  test('is written in small pieces, the directory of ten thousand entries as well', async () => {
    const folders = Array.from({ length: 10_000 }, (_, n) => ({
      path: `Level ${n}/`,
      modifiedAt,
      file: null,
    }));
    const pieces = await piecesOf(folders);
    expect(Object.keys(unzip(Buffer.concat(pieces)))).toHaveLength(10_000);
    expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(32 * 1024);
  });

  test('makes each entry when it is read, one file open at a time, and closes it when its reader leaves', async () => {
    let made = 0;
    const open = new Set<number>();
    let most = 0;
    function* entries(): Generator<ZipEntry> {
      for (let n = 0; n < 100; n += 1) {
        made += 1;
        const source = Readable.from([Buffer.alloc(4_096)]);
        source.once('close', () => open.delete(n));
        const opened = async () => {
          open.add(n);
          most = Math.max(most, open.size);
          return source;
        };
        yield { path: `${n}.txt`, modifiedAt, file: { bytes: 4_096, open: opened } };
      }
    }
    const zip = zipOf(entries());
    await zip.next();
    const before = made;
    expect(most).toBe(1);
    expect(before).toBeLessThan(10);
    await zip.return();
    await expect.poll(() => open.size).toBe(0);
    expect(made).toBe(before);
  });

  test('breaks off at a file that has another size than was told, or cannot be opened', async () => {
    await expect(piecesOf([fileOf('a.txt', 'one', 4)])).rejects.toThrow('3 bytes instead of 4');
    const broken = { bytes: 1, open: async () => Promise.reject(new Error('missing')) };
    await expect(piecesOf([{ path: 'a', modifiedAt, file: broken }])).rejects.toThrow('missing');
    const failing = Readable.from(failingAfter('a'));
    const cut = { path: 'a', modifiedAt, file: { bytes: 2, open: async () => failing } };
    await expect(buffer(Readable.from(zipOf([cut])))).rejects.toThrow('cut off');
  });
});

async function* failingAfter(first: string) {
  yield Buffer.from(first);
  throw new Error('cut off');
}
