import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { diskSpace } from '#server/adapters/storage/disk-space.ts';
import { s3Storage } from '#server/adapters/storage/s3.ts';
import { createS3Client } from '#server/adapters/storage/s3-requests.ts';
import { storageContract } from '#tests/support/contracts/storage.ts';
import { startTestS3, type TestS3 } from '#tests/support/server/s3.ts';

let s3: TestS3;
let spool: string;

beforeAll(async () => {
  s3 = await startTestS3();
  spool = await mkdtemp(join(tmpdir(), 'lintel-spool-'));
});
afterAll(async () => {
  await s3.stop();
  await rm(spool, { recursive: true });
});

storageContract('on S3', async (options) => {
  const client = createS3Client(s3.settings);
  const free = options?.capacity ?? 1_000_000_000;
  const storage = s3Storage(client, spool, diskSpace(spool, { floor: 1, freeBytes: async () => free + 1 }));
  // One server for all tests, so each begins with an empty bucket.
  for (const { key } of (await storage.list('', { limit: 1_000 })).files) await storage.delete(key);
  return storage;
});
