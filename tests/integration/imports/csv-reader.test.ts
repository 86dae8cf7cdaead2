import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { CsvReader } from '#server/features/imports/csv-reader.ts';
import type { FileRow } from '#server/features/imports/csv-worker.ts';
import { IMPORT_MAX_ROWS } from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';

const reader = new CsvReader();
afterAll(() => reader.stop());

function bytesOf(text: string): Buffer<SharedArrayBuffer> {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text);
  return bytes;
}

async function lines(text: string): Promise<number[]> {
  const read: number[] = [];
  await reader.read('clients', bytesOf(text), ({ line }) => read.push(line));
  return read;
}

const many = `Client\n${Array.from({ length: IMPORT_MAX_ROWS }, (_, n) => `Client ${n}`).join('\n')}`;

test('a file is read whole and in order, with its hash', async () => {
  const rows: FileRow[] = [];
  const sha256 = await reader.read('clients', bytesOf(many), (row) => rows.push(row));
  expect(sha256).toBe(createHash('sha256').update(many).digest('hex'));
  expect(rows.map(({ row }) => row)).toEqual(
    Array.from({ length: IMPORT_MAX_ROWS }, (_, n) => ({ name: `Client ${n}` })),
  );
});

test('a fault before too many cells is reported first', async () => {
  const broken = `Client\nA\n"B" C\nD${','.repeat(100)}`;
  await expect(lines(broken)).rejects.toMatchObject({ code: 'invalid', message: importMessages.broken(3) });
  const wide = `Client\nA\nD${','.repeat(100)}\n"B" C`;
  await expect(lines(wide)).rejects.toMatchObject({ message: importMessages.tooWide(3, 64) });
});

test('reading stops when the sender disconnects, and when it takes too long; the next file is read', async () => {
  const sender = new AbortController();
  let read = 0;
  const leaving = reader.read(
    'clients',
    bytesOf(many),
    () => {
      read += 1;
      sender.abort();
    },
    { signal: sender.signal },
  );
  await expect(leaving).rejects.toMatchObject({ code: 'busy' });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(IMPORT_MAX_ROWS);
  const late = reader.read('clients', bytesOf(many), () => undefined, { withinMs: 1 });
  await expect(late).rejects.toMatchObject({ code: 'busy' });
  expect(await lines('Client\nA\nB')).toEqual([2, 3]);
});

test('a thread that fails is an error of this one file', async () => {
  const unknown = JSON.parse('"rockets"');
  const failing = reader.read(unknown, bytesOf('Client\nA'), () => undefined);
  await expect(failing).rejects.toThrow(TypeError);
  expect(await lines('Client\nA')).toEqual([2]);
});

test('several at once are read beside each other', async () => {
  const all = await Promise.all(['Client\nA', 'Client\nA\nB', 'Client\n\nC'].map(lines));
  expect(all).toEqual([[2], [2, 3], [3]]);
});

test.each([
  ['semicolons', 'Building Name;Name;Description\r\nQuay;Lamp;Above the door, left'],
  [
    'semicolons, as Excel says before the header',
    'sep=;\r\nBuilding Name;Name;Description\r\nQuay;Lamp;a, b',
  ],
  ['commas, as Excel says', '"sep=,"\nBuilding Name,Name,Description\nQuay,Lamp,"a, b"'],
  ['tabs', 'Building Name\tName\tDescription\nQuay\tLamp\ta; b'],
  ['semicolons, with returns alone at the ends', 'Building Name;Name;Description\rQuay;Lamp;a, b\r'],
  ['commas, after blank lines', '\r\n,,\r\nBuilding Name,Name,Description\r\nQuay,Lamp,a'],
  ['commas, after a byte order mark', '\ufeffBuilding Name,Name,Description\nQuay,Lamp,a'],
])('columns are divided by %s', async (_what, text) => {
  const rows: FileRow[] = [];
  await reader.read('assets', bytesOf(text), (row) => rows.push(row));
  expect(rows).toMatchObject([{ row: { building: 'Quay', name: 'Lamp' }, faults: [] }]);
});

test('another separator is named with those that are expected', async () => {
  const read = reader.read('assets', bytesOf('Building Name|Name|Description\nQuay|Lamp|a'), () => undefined);
  await expect(read).rejects.toMatchObject({ message: importMessages.delimiterExpected });
});

test.each(['\n', '\r\n', '\r'])(
  'lines are counted as an editor counts them, where they end with %j',
  async (end) => {
    const text = ['', 'Client', 'A', '"B', 'of two lines"', '', 'C', '"D', '', 'E"', 'F'].join(end);
    expect(await lines(text)).toEqual([3, 4, 7, 8, 11]);
    const broken = ['Client', '"A', 'B"', 'C', '"D" E'].join(end);
    await expect(lines(broken)).rejects.toMatchObject({ message: importMessages.broken(5) });
  },
);
