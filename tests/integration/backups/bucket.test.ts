import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { readLastRuns } from '#server/features/backups/backup-runs.ts';
import { backUp } from '#server/features/backups/backups.jobs.ts';
import { checkBackup } from '#server/features/backups/check-backup.ts';
import { readFileList } from '#server/features/backups/file-list.ts';
import { openRepository } from '#server/features/backups/repository.ts';
import { listBackups } from '#server/features/backups/stored-backups.ts';
import type { Services } from '#server/kernel/context.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { dayClock } from '#tests/support/server/clock.ts';
import { startTestS3, type TestS3 } from '#tests/support/server/s3.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';

// Backups in a bucket.

const { privateKey } = generateKeyPairSync('ed25519');
const backupSigningKey = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** With this clock, midnight never passes between two backups. */
const clock = dayClock();

let folder: string;
let s3: TestS3;
let database: TestDatabase;
let server: TestServer;
let env: Services['env'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-bucket-'));
  s3 = await startTestS3('lintel-backups');
  database = await createTestDatabase();
  server = await startTestServer(database, { env: { dataDir: join(folder, 'data') } });
  const { bucket: _, ...s3Access } = s3.settings;
  env = { ...server.services.env, s3Access, backupTo: 's3://lintel-backups', backupSigningKey };
  const { id: buildingId } = await createBuilding(server.services);
  const cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  const bytes = Buffer.from('The fire doors of the third floor');
  const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
  const address = await presignDocument(server.url, cookie, input, { name: 'Doors.txt', bytes });
  expect((await rawClient(server.url, cookie).put(address, bytes)).status).toBe(200);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});

async function made() {
  const runs = await readLastRuns(server.services.db, 's3://lintel-backups');
  return backUp({ ...server.services, env, clock }, { databaseUrl: database.appUrl, runs });
}

test('a backup in a bucket is whole, and of one day the newest is kept', async () => {
  const first = await made();
  expect(first).toMatchObject({ files: 1, deleted: [] });
  const second = await made();
  expect(second.deleted).toEqual([first.backupId]);
  const storage = openRepository(env.backupTo, env);
  const found = await listBackups({ storage }, publicKeyOf(privateKey));
  expect(found.map(({ id }) => id)).toEqual([second.backupId]);
  const manifest = found[0]?.manifest;
  if (manifest === undefined) throw new Error(found[0]?.problem);
  const repository = { storage, cipher: undefined };
  expect(await checkBackup(repository, manifest, await readFileList(repository, manifest))).toEqual([]);
});
