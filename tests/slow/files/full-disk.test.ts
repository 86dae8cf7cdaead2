import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { type Child, canHaveOwnDisk, startChild } from '#tests/support/server/child.ts';
import { startTestS3, type TestS3 } from '#tests/support/server/s3.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import type { UploadServerHandlers } from '#tests/support/uploads/upload-server.ts';
import { rawClient, sha256Of, type TestUpload } from '#tests/support/uploads/uploads.ts';

const MIB = 1024 * 1024;
const DISK_MIB = 48;
/** Space that another program leaves on the disk: less than a part that goes to S3. */
const LEFT_MIB = 4;

// A real disk becomes full in the middle of an upload, although it had room when the upload was reserved.
describe.skipIf(!canHaveOwnDisk()).each(['disk', 's3'] as const)('an upload to %s', (fileStore) => {
  let database: TestDatabase;
  let s3: TestS3;
  let dataDir: string;
  /** A server on the same database, but not on the small disk, to make people and read rows. */
  let office: TestServer;
  let child: Child<UploadServerHandlers>;
  let url: string;
  let cookie: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    s3 = await startTestS3();
    dataDir = await mkdtemp(join(tmpdir(), 'lintel-full-'));
    office = await startTestServer(database);
    cookie = await signInAs(office, await createPerson(office.services, { role: 'admin' }));
    child = startChild<UploadServerHandlers>(
      new URL('../../support/uploads/upload-server.ts', import.meta.url),
      {
        disk: { folder: dataDir, mebibytes: DISK_MIB },
      },
    );
    url = await child.ask('listen', {
      databaseUrl: database.appUrl,
      env: { dataDir, fileStore, s3: s3.settings },
      believesInRoom: true,
    });
  }, 60_000);
  afterAll(async () => {
    await child.kill();
    await office.stop();
    await s3.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function rowOf(id: string) {
    const [row] = await office.services.db.select().from(storedFiles).where(eq(storedFiles.id, id));
    return row;
  }

  test('during which the disk fills up is refused, keeps what it has, and goes on', async () => {
    const upload: TestUpload = { id: uuidv7(), name: 'plan.bin', bytes: randomBytes(20 * MIB) };
    const { id, bytes } = upload;
    const client = rawClient(url, cookie);
    const address = await client.presign(upload);
    await child.ask('fill', (DISK_MIB - LEFT_MIB) * MIB);
    const refused = await client.putRaw(address, bytes);
    expect(refused.status).toBe(503);
    expect(JSON.parse(await refused.text()).error.data.app).toEqual({
      code: 'busy',
      message: messages.common.serverFull,
      thisOnly: true,
    });
    expect(await rowOf(id)).toMatchObject({ state: 'reserved', holder: null });
    const kept = Number((await client.head(address)).headers.get('x-ut-range-start'));
    expect(kept).toBeLessThanOrEqual(LEFT_MIB * MIB);
    // With S3, a part is kept only when it has been sent as a whole.
    expect(kept > 0).toBe(fileStore === 'disk');

    await child.ask('empty', undefined);
    const { pieces } = (await (await client.pieces(address)).json()) as { pieces: { sha256: string }[] };
    expect(pieces.map(({ sha256 }) => sha256)).toEqual(kept > 0 ? [sha256Of(bytes.subarray(0, kept))] : []);
    const answer = await client.putRaw(address, bytes, kept);
    expect(answer.status).toBe(200);
    // The hash is of the bytes in the store, because the bytes arrived in two requests.
    expect(await rowOf(id)).toMatchObject({ state: 'stored', sha256: sha256Of(bytes) });
  });
});
