import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Arrivals } from '#server/adapters/storage/arrivals.ts';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { diskArrivals } from '#server/adapters/storage/disk-arrivals.ts';
import { diskPartialUploads } from '#server/adapters/storage/partial-uploads.ts';
import { uuidv7 } from '#shared/ids.ts';

// The hash of an upload is computed as its bytes arrive, even if its connection broke in between.

let folder: string;
let arrivals: Arrivals;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-arrivals-'));
  arrivals = diskArrivals(diskPartialUploads(join(folder, 'parts')), diskStorage(join(folder, 'files')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const TEXT = 'a scan of a certificate';
const sha256 = createHash('sha256').update(TEXT).digest('hex');
const fence = (number: number, tookOver = false) => ({ number, tookOver, assertHeld: () => undefined });

function upload() {
  const file = { id: uuidv7(), key: 'aa/bb', bytes: TEXT.length, multipartId: null };
  return (from: number, to: number, writer: ReturnType<typeof fence>, text = TEXT) =>
    arrivals.append(file, from, Readable.from([Buffer.from(text.slice(from, to))]), writer);
}

describe('the hash of an upload', () => {
  test('is known after a break, however often, where one writer followed the other', async () => {
    const append = upload();
    expect(await append(0, 5, fence(1))).toEqual({ received: 5 });
    expect(await append(5, 9, fence(2))).toEqual({ received: 9 });
    expect(await append(9, TEXT.length, fence(3))).toEqual({ received: TEXT.length, sha256 });
  });

  test('is of what was sent last where a device began anew', async () => {
    const append = upload();
    await append(0, 9, fence(1), 'something else');
    expect(await append(0, TEXT.length, fence(2))).toEqual({ received: TEXT.length, sha256 });
  });

  test.each<[string, { from?: number; writer: ReturnType<typeof fence> }]>([
    ['there was a writer in another process in between', { writer: fence(3) }],
    ['the writer before may still write', { writer: fence(2, true) }],
    ['some of it comes again', { from: 3, writer: fence(2) }],
  ])('is not known where %s', async (_why, { from = 5, writer }) => {
    const append = upload();
    await append(0, 5, fence(1));
    expect(await append(from, TEXT.length, writer)).toEqual({ received: TEXT.length });
  });
});
