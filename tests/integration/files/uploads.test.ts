import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { sweepFiles } from '#server/features/files/files.sweep.ts';
import type { FileRow } from '#server/features/files/files.writes.ts';
import { DAY_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { startTestS3, type TestS3 } from '#tests/support/server/s3.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import {
  rawClient,
  sha256Of,
  type TestLayer,
  type TestUpload,
  testLayer,
} from '#tests/support/uploads/uploads.ts';

const MIB = 1024 * 1024;

describe.each(['disk', 's3'] as const)('an upload to %s', (fileStore) => {
  let database: TestDatabase;
  let dataDir: string;
  let s3: TestS3;
  let server: TestServer;
  /** A second server in the same process: for the database and the data folder it is like another process. */
  let second: TestServer;
  let layer: TestLayer;
  let cookie: string;
  let otherCookie: string;
  let now = Date.now();
  const clock = { now: () => new Date(now) };

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'lintel-uploads-'));
    s3 = await startTestS3();
    layer = testLayer();
    const options = { env: { dataDir, fileStore, s3: s3.settings }, files: layer, clock };
    server = await startTestServer(database, options);
    second = await startTestServer(database, options);
    cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
    otherCookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  });
  afterAll(async () => {
    await Promise.all([server.stop(), second.stop()]);
    await s3.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const client = (of = server) => rawClient(of.url, cookie);
  const newUpload = (bytes: Buffer, more: Partial<TestUpload> = {}): TestUpload => ({
    id: uuidv7(),
    name: 'plan.txt',
    bytes,
    ...more,
  });
  async function rowOf(id: string): Promise<FileRow> {
    const [row] = await server.services.db.select().from(storedFiles).where(eq(storedFiles.id, id));
    if (row === undefined) throw new Error('there is no row');
    return row;
  }
  async function bytesOf({ key, store }: FileRow): Promise<Buffer> {
    const opened = await server.services.stores[store]?.storage.get(key);
    const pieces: Buffer[] = [];
    for await (const piece of opened?.stream ?? []) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  }
  async function expectStored({ id, bytes }: TestUpload): Promise<void> {
    const row = await rowOf(id);
    expect(row).toMatchObject({ state: 'stored', sha256: sha256Of(bytes), store: fileStore, holder: null });
    expect((await bytesOf(row)).equals(bytes)).toBe(true);
    expect(layer.stored.filter((stored) => stored === id)).toHaveLength(1);
  }
  /** Sends some of an upload and breaks the connection. */
  function breakOff(
    of: TestServer,
    address: string,
    part: Buffer,
    from: number,
    total: number,
  ): Promise<void> {
    return new Promise((resolve) => {
      const sent = request(`${of.url}${address}`, {
        method: 'PUT',
        headers: {
          ...headersFor(of.url, cookie),
          range: `bytes=${from}-`,
          'content-type': 'application/octet-stream',
          'content-length': total - from,
        },
      });
      sent.on('error', () => resolve());
      sent.on('close', () => resolve());
      sent.write(part, () => setImmediate(() => sent.destroy()));
    });
  }
  /** Sends some of an upload and keeps the connection open, until the server ends it. */
  function begin(
    of: TestServer,
    address: string,
    part: Buffer,
    total: number,
  ): { goOn(rest: Buffer): void; ended: Promise<number | undefined> } {
    const sent = request(`${of.url}${address}`, {
      method: 'PUT',
      headers: {
        ...headersFor(of.url, cookie),
        range: 'bytes=0-',
        'content-type': 'application/octet-stream',
        'content-length': total,
      },
    });
    const ended = new Promise<number | undefined>((resolve) => {
      sent.on('error', () => resolve(undefined));
      sent.on('response', (answer) => {
        answer.resume();
        sent.destroy();
        resolve(answer.statusCode);
      });
    });
    sent.write(part);
    return { goOn: (rest) => void sent.end(rest), ended };
  }
  const received = async (address: string, of = server) =>
    Number((await client(of).head(address)).headers.get('x-ut-range-start'));

  test.each([
    ['of five bytes', Buffer.from('hello')],
    ['of no bytes', Buffer.alloc(0)],
    ['of several parts', randomBytes(9 * MIB)],
  ])('%s is stored with its hash, once', async (_what, bytes) => {
    const upload = newUpload(bytes, { name: '文 ü\ud800.txt', type: '' });
    const address = await client().presign(upload);
    expect(address).toMatch(/^\/ut\//);
    expect(await received(address)).toBe(0);
    const answer = await client().put(address, bytes);
    expect(await answer.json()).toMatchObject({ serverData: { id: upload.id } });
    await expectStored(upload);
    // The answer was lost: the same bytes are sent again.
    const again = await client().put(address, bytes, 0);
    expect(await again.json()).toMatchObject({ serverData: { id: upload.id } });
    expect(await received(address)).toBe(bytes.byteLength);
    await expectStored(upload);
  });

  test('of a form that breaks off before its closing boundary is kept as far as it came, and the process lives', async () => {
    const upload = newUpload(Buffer.from('test'));
    const address = await client().presign(upload);
    const opening = '--XX\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const put = (body: string) =>
      fetch(`${server.url}${address}`, {
        method: 'PUT',
        headers: { ...headersFor(server.url, cookie), 'content-type': 'multipart/form-data; boundary=XX' },
        body,
      });
    const broken = await put(`${opening}te`);
    expect(broken.status).toBe(400);
    // S3 keeps whole parts only.
    const kept = fileStore === 's3' ? 0 : 2;
    expect(await broken.json()).toMatchObject({ received: kept, bytes: 4 });
    // Bodies that end before any file: in the preamble, in a header, and an empty body.
    for (const body of ['', '--X', '--XX\r\n', '--XX\r\ncontent-disp', `--XX--\r\n`]) {
      expect((await put(body)).status).toBe(400);
    }
    expect(await received(address)).toBe(kept);
    await client().put(address, upload.bytes, kept);
    await expectStored(upload);
  });

  test('goes on in another process after a break, and tells the hashes of what is there', async () => {
    const upload = newUpload(randomBytes(20 * MIB));
    const { bytes } = upload;
    const address = await client().presign(upload);
    await breakOff(server, address, bytes.subarray(0, 12 * MIB), 0, bytes.byteLength);
    await expect.poll(async () => (await rowOf(upload.id)).holder).toBeNull();
    const kept = await received(address, second);
    expect(kept).toBeGreaterThanOrEqual(8 * MIB);
    const told = await (await client(second).pieces(address)).json();
    expect(told).toMatchObject({ received: kept });
    let at = 0;
    for (const piece of told.pieces) {
      expect(piece.sha256).toBe(sha256Of(bytes.subarray(at, at + piece.bytes)));
      at += piece.bytes;
    }
    expect(at).toBe(kept);
    const answer = await client(second).putRaw(address, bytes, kept);
    expect(answer.status).toBe(200);
    await expectStored(upload);
  });

  test.skipIf(fileStore === 's3')('has its own bytes, whatever a paused writer still writes', async () => {
    const upload = newUpload(randomBytes(MIB));
    const address = await client().presign(upload);
    const kept = MIB / 2;
    expect((await client().putRaw(address, upload.bytes.subarray(0, kept))).status).toBe(400);
    // A process that was paused in the middle of a write: it has the file open, and its lease has run out.
    const paused = await open(join(dataDir, 'uploads', `${upload.id}.part`), 'r+');
    const holder = (await rowOf(upload.id)).fence;
    await server.services.db
      .update(storedFiles)
      .set({ holder, leasedUntil: new Date(0).toISOString() })
      .where(eq(storedFiles.id, upload.id));
    expect((await client(second).put(address, upload.bytes, kept)).status).toBe(200);
    await paused.write(randomBytes(kept), 0, kept, 0);
    await paused.close();
    await expectStored(upload);
  });

  test('is not held by a writer whose lease the database made while its clock was ahead', async () => {
    const upload = newUpload(randomBytes(MIB));
    const address = await client().presign(upload);
    const leasedUntil = new Date(Date.now() + 10 * DAY_MS).toISOString();
    await server.services.db
      .update(storedFiles)
      .set({ fence: 7, holder: 7, leasedUntil })
      .where(eq(storedFiles.id, upload.id));
    expect((await client(second).put(address, upload.bytes)).status).toBe(200);
    await expectStored(upload);
  });

  test('of two processes at once has one winner, and the hash of what is stored', async () => {
    const upload = newUpload(randomBytes(3 * MIB));
    const address = await client().presign(upload);
    const answers = await Promise.all([
      client().put(address, upload.bytes),
      client(second).put(address, upload.bytes),
      client().put(address, upload.bytes),
    ]);
    // 409: another process took over, or had stored bytes already; 503: the lock of the row was not free at the moment.
    expect([200, 409, 503]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
    // A device asks how far the upload is and continues from there, whether or not one of the three has completed it.
    const last = await client().put(address, upload.bytes, await received(address));
    expect(last.status).toBe(200);
    await expectStored(upload);
  });

  test('with a changed address is refused', async () => {
    const upload = newUpload(Buffer.from('hello'));
    const address = await client().presign(upload);
    const changed = [
      address.replace('x-ut-file-size=5', 'x-ut-file-size=6'),
      address.replace(upload.id, uuidv7()),
      `${address}&x-ut-extra=1`,
      address.replace('&signature=', '&x-ut-extra=1&signature='),
      address.replace(/signature=.*$/, 'signature='),
      address.replace(/&signature=.*$/, ''),
      address.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ];
    for (const one of changed) {
      expect((await client().head(one)).status, one).toBe(403);
      expect((await client().put(one, upload.bytes)).status, one).toBe(403);
    }
    expect(await rowOf(upload.id)).toMatchObject({ state: 'reserved' });
  });

  test('is nothing for another person, or without a session', async () => {
    const upload = newUpload(Buffer.from('hello'));
    const address = await client().presign(upload);
    expect((await rawClient(server.url, otherCookie).put(address, upload.bytes)).status).toBe(404);
    expect((await rawClient(server.url, undefined).put(address, upload.bytes)).status).toBe(401);
    const theirs = await rawClient(server.url, otherCookie).presignAnswer(upload);
    expect(await theirs.json()).toMatchObject({ code: 'duplicate' });
  });

  test('goes on while another person tries its address', async () => {
    const upload = newUpload(randomBytes(2 * MIB));
    const address = await client().presign(upload);
    const sending = begin(server, address, upload.bytes.subarray(0, MIB), upload.bytes.byteLength);
    await expect.poll(async () => (await rowOf(upload.id)).holder).not.toBeNull();
    const others = rawClient(server.url, otherCookie);
    expect((await others.put(address, upload.bytes)).status).toBe(404);
    expect((await others.head(address)).status).toBe(404);
    sending.goOn(upload.bytes.subarray(MIB));
    expect(await sending.ended).toBe(200);
    await expectStored(upload);
  });

  test('whose address has expired goes on with a new one', async () => {
    const upload = newUpload(Buffer.from('hello'));
    const address = await client().presign(upload);
    const before = now;
    now = Date.now() + 3_700_000;
    expect((await client().put(address, upload.bytes)).status).toBe(403);
    now = before;
    const fresh = await client().presign(upload);
    expect((await client().put(fresh, upload.bytes)).status).toBe(200);
    await expectStored(upload);
  });

  test('is counted: longer than declared, shorter, and beyond its end', async () => {
    const upload = newUpload(Buffer.from('hello'));
    const address = await client().presign(upload);
    expect((await client().put(address, Buffer.from('hello you'))).status).toBe(413);
    const short = await client().put(address, Buffer.from('he'));
    expect(short.status).toBe(400);
    expect((await client().putRaw(address, Buffer.from('hello world'), 9)).status).toBe(416);
    expect(await rowOf(upload.id)).toMatchObject({ state: 'reserved' });
    const last = await client().put(address, upload.bytes, await received(address));
    expect(last.status).toBe(200);
    await expectStored(upload);
  });

  test('that its feature refuses at the end leaves no file, and may be sent again', async () => {
    const upload = newUpload(Buffer.from('hello'));
    const address = await client().presign(upload);
    layer.refuse = true;
    expect((await client().put(address, upload.bytes)).status).toBe(403);
    layer.refuse = false;
    expect(await rowOf(upload.id)).toMatchObject({ state: 'reserved', sha256: null });
    // The bytes are in their place already, as after a crash before the row was stored.
    expect(await received(address)).toBe(5);
    expect((await client().putRaw(address, upload.bytes, 5)).status).toBe(200);
    await expectStored(upload);
  });

  test('is refused where the feature says so, with its error', async () => {
    const answer = await client().presignAnswer(newUpload(Buffer.from('x'), { folder: 'forbidden' }));
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'forbidden' });
    const wrong = await client().presignAnswer(newUpload(Buffer.from('x'), { id: 'no id' }));
    expect(await wrong.json()).toMatchObject({ code: 'invalid', fields: { id: expect.any(String) } });
  });

  test('can be tried again where the database was cut off, and that is no fault to be looked into', async () => {
    const logged = server.logged.length;
    const answer = await client().presignAnswer(newUpload(Buffer.from('x'), { folder: 'cut off' }));
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'busy' });
    expect(server.logged.slice(logged).join()).not.toContain('unexpected');
  });

  test('has no callback that an outsider could call', async () => {
    const answer = await fetch(`${server.url}/api/uploadthing?slug=test`, {
      method: 'POST',
      headers: {
        ...headersFor(server.url, cookie),
        'content-type': 'application/json',
        'uploadthing-hook': 'callback',
      },
      body: JSON.stringify({ status: 'uploaded', metadata: {}, file: {}, origin: 'x' }),
    });
    expect(answer.status).toBe(400);
  });

  test('that is cancelled is forgotten at once, with its bytes; said again, it is the same', async () => {
    const upload = newUpload(randomBytes(20 * MIB));
    const address = await client().presign(upload);
    await breakOff(server, address, upload.bytes.subarray(0, 12 * MIB), 0, upload.bytes.byteLength);
    await expect.poll(async () => (await rowOf(upload.id)).holder).toBeNull();
    const row = await rowOf(upload.id);
    expect(await received(address)).toBeGreaterThan(0);
    // By another process, an hour later: the address is still valid to cancel the upload.
    const before = now;
    now = Date.now() + 3_700_000;
    const ended = await client(second).end(address);
    now = before;
    expect([ended.status, await ended.json()]).toEqual([200, { stored: false }]);
    await expect(rowOf(upload.id)).rejects.toThrow();
    expect(layer.abandoned).toContain(upload.id);
    expect(await server.services.stores[fileStore]?.arrivals.received(row)).toBe(0);
    expect(await (await client().end(address)).json()).toEqual({ stored: false });
    expect((await client().head(address)).status).toBe(404);
  });

  test('that is cancelled while another process takes its bytes leaves none of them', async () => {
    const upload = newUpload(randomBytes(20 * MIB));
    const { byteLength } = upload.bytes;
    const address = await client().presign(upload);
    const sending = begin(second, address, upload.bytes.subarray(0, 12 * MIB), byteLength);
    await expect.poll(() => received(address)).toBeGreaterThan(0);
    const row = await rowOf(upload.id);
    expect(row.holder).not.toBeNull();
    expect(await (await client().end(address)).json()).toEqual({ stored: false });
    await sending.ended;
    const left = async () => [
      await server.services.stores[fileStore]?.arrivals.received(row),
      await server.services.stores[fileStore]?.storage.head(row.key),
    ];
    await expect.poll(left).toEqual([0, undefined]);
    expect(layer.stored).not.toContain(upload.id);
  });

  test('is ended by no other person, and not at all once it is stored', async () => {
    const upload = newUpload(Buffer.from('hello'));
    const address = await client().presign(upload);
    expect((await rawClient(server.url, undefined).end(address)).status).toBe(401);
    expect((await client().end(address.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status).toBe(
      403,
    );
    expect(await (await rawClient(server.url, otherCookie).end(address)).json()).toEqual({ stored: false });
    expect(await rowOf(upload.id)).toMatchObject({ state: 'reserved' });
    await client().put(address, upload.bytes);
    expect(await (await client().end(address)).json()).toEqual({ stored: true });
    await expectStored(upload);
  });

  test('that rests for a week is swept, with its bytes', async () => {
    const upload = newUpload(randomBytes(20 * MIB));
    const address = await client().presign(upload);
    await breakOff(server, address, upload.bytes.subarray(0, 9 * MIB), 0, upload.bytes.byteLength);
    await expect.poll(async () => (await rowOf(upload.id)).holder).toBeNull();
    const row = await rowOf(upload.id);
    await sweepFiles(server.services, layer, new Date(now + 6 * DAY_MS));
    expect(await received(address)).toBeGreaterThan(0);
    await sweepFiles(server.services, layer, new Date(now + 8 * DAY_MS));
    await expect(rowOf(upload.id)).rejects.toThrow();
    expect(layer.abandoned).toContain(upload.id);
    expect(await server.services.stores[fileStore]?.arrivals.received(row)).toBe(0);
  });

  test('removed is erased when its purpose lets go, but never a proof; bytes without a row go after a day', async () => {
    const [gone, proof] = [newUpload(Buffer.from('gone')), newUpload(Buffer.from('proof'))];
    for (const upload of [gone, proof]) await client().put(await client().presign(upload), upload.bytes);
    const { db, stores } = server.services;
    const removedAt = new Date(now).toISOString();
    for (const { id } of [gone, proof]) {
      await db.update(storedFiles).set({ state: 'removed', removedAt }).where(eq(storedFiles.id, id));
    }
    layer.proofs.add(proof.id);
    await stores[fileStore]?.storage.put('test/unknown', Readable.from([Buffer.from('x')]), { maxBytes: 9 });
    await sweepFiles(server.services, layer, new Date(now + 2_000));
    expect(await rowOf(gone.id)).toMatchObject({ state: 'erased', sha256: sha256Of(gone.bytes) });
    expect(await stores[fileStore]?.storage.head(`test/${gone.id}`)).toBeUndefined();
    expect(layer.erased).toEqual([gone.id]);
    expect(await stores[fileStore]?.storage.head('test/unknown')).toEqual({ bytes: 1 });
    await sweepFiles(server.services, layer, new Date(now + 2 * DAY_MS));
    expect(await stores[fileStore]?.storage.head('test/unknown')).toBeUndefined();
    expect(await rowOf(proof.id)).toMatchObject({ state: 'removed' });
    expect(await stores[fileStore]?.storage.head(`test/${proof.id}`)).toEqual({ bytes: 5 });
  });
});
