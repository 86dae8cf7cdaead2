import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { readBackupStatus } from '#server/features/backups/backups.queries.ts';
import { listBackups } from '#server/features/backups/stored-backups.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';

// An installation that backs itself up, from its first backup on, and the messages to its administrators about it.

const { privateKey } = generateKeyPairSync('ed25519');
const backupSigningKey = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

const BYTES = Buffer.from('The fire doors of the third floor');

let folder: string;
let database: TestDatabase;
let server: TestServer;
const clock = testClock();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-backups-'));
  database = await createTestDatabase();
  const env = { dataDir: join(folder, 'data'), backupTo: join(folder, 'backups'), backupSigningKey };
  server = await startTestServer(database, { env, clock, timedJobs: { lookEveryMs: 50 } });
  // Before the clock is advanced, because signed addresses would expire by it.
  const cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  const { id: buildingId } = await createBuilding(server.services);
  const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
  const address = await presignDocument(server.url, cookie, input, { name: 'Doors.txt', bytes: BYTES });
  expect((await rawClient(server.url, cookie).put(address, BYTES)).status).toBe(200);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Waits for the runs that are due, of which two may run in any order. @returns their kinds, sorted */
async function runsOf(expected: number): Promise<string[]> {
  const runs = () => readBackupStatus(server.services).then((status) => status.runs);
  await expect.poll(async () => (await runs()).length, { timeout: 60_000 }).toBe(seen + expected);
  const found = (await runs()).slice(0, expected);
  seen += expected;
  return found.map(({ kind, problem }) => (problem === null ? kind : `${kind} failed`)).sort();
}
let seen = 0;

const stored = () => listBackups({ storage: diskStorage(join(folder, 'backups')) }, publicKeyOf(privateKey));

async function statusFor(role: 'admin' | 'manager') {
  const client = createTestClient(
    server.url,
    await signInAs(server, await createPerson(server.services, { role })),
  );
  const { data: me } = await client.session.me.query();
  return { client, problem: me.backupProblem };
}

test('backs up at once and each day, verifies the newest each week, and tells administrators what is wrong', async () => {
  expect(await runsOf(2)).toEqual(['backup', 'verification']);
  expect(await stored()).toHaveLength(1);
  const admin = await statusFor('admin');
  expect(admin.problem).toBeNull();
  const [backup] = await stored();
  const status = await admin.client.backups.status.query();
  expect(status).toMatchObject({
    settings: {
      to: join(folder, 'backups'),
      at: '01:30',
      encryptedTo: null,
      publicKey: publicKeyOf(privateKey),
    },
    problems: [],
    made: { backupId: backup?.id, problem: null },
    verified: { backupId: backup?.id, problem: null },
  });
  expect(status.made?.rows).toBeGreaterThan(0);
  expect(status.runs.map(({ kind }) => kind)).toEqual(['verification', 'backup']);

  clock.advance(DAY_MS);
  expect(await runsOf(1)).toEqual(['backup']);
  clock.advance(7 * DAY_MS);
  expect(await runsOf(2)).toEqual(['backup', 'verification']);

  // The disk of the repository is not mounted: the backup is tried again each hour.
  await rename(join(folder, 'backups'), join(folder, 'unmounted'));
  clock.advance(DAY_MS);
  expect(await runsOf(1)).toEqual(['backup failed']);
  const told = await statusFor('admin');
  expect(told.problem).toMatch(/^The last backup failed: .*is the disk of the repository mounted\?/);
  // Nothing was written to the folder where the disk would be mounted.
  await expect(readdir(join(folder, 'backups'))).rejects.toThrow('ENOENT');
  expect((await told.client.backups.status.query()).problems).toEqual([told.problem]);
  expect((await statusFor('manager')).problem).toBeNull();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^lintel_backup_problems 1$/m);
  expect(metrics).toMatch(/^lintel_backup_age_seconds \d/m);
  expect(metrics).toMatch(/^lintel_backup_verified_age_seconds \d/m);

  await rename(join(folder, 'unmounted'), join(folder, 'backups'));
  clock.advance(HOUR_MS);
  expect(await runsOf(1)).toEqual(['backup']);
  expect((await statusFor('admin')).problem).toBeNull();
});

test('damage that a verification finds is repaired by the next backup', async () => {
  const repository = diskStorage(join(folder, 'backups'));
  const [stored] = (await repository.list('backup-files/')).files;
  await writeFile(join(folder, 'backups', stored?.key ?? ''), Buffer.from(BYTES).fill('x', 0, 1));
  clock.advance(7 * DAY_MS);
  expect(await runsOf(2)).toEqual(['backup', 'verification failed']);
  expect((await statusFor('admin')).problem).toContain(`${stored?.key} is damaged or missing.`);
  clock.advance(DAY_MS);
  expect(await runsOf(2)).toEqual(['backup', 'verification']);
  expect((await statusFor('admin')).problem).toBeNull();
});
