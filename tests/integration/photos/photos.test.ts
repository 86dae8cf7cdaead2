import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { photos } from '#db/schema/photos.ts';
import { diskPartialUploads } from '#server/adapters/storage/partial-uploads.ts';
import { fileLayer } from '#server/boot/file-layer.ts';
import { sweep } from '#server/boot/housekeeping.ts';
import { sweepFiles } from '#server/features/files/files.sweep.ts';
import { photoKey } from '#server/features/photos/photo-row.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { AnnouncePhotoInput } from '#shared/features/photos/photos.ts';
import {
  PHOTO_MAX_BYTES,
  PHOTOS_MAX,
  THUMBNAIL_MAX_BYTES,
  UPLOAD_OFFSET,
} from '#shared/features/photos/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { announcement, photoRows, picture, putPhoto } from '#tests/support/rows/photos.ts';
import { createTestClient, headersFor, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let dataDir: string;
let buildingId: string;
let manager: TestPerson;
let cookie: string;
let client: TestClient;
let viewerCookie: string;
let viewer: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-photos-'));
  server = await startTestServer(database, { env: { dataDir } });
  ({ id: buildingId } = await createBuilding(server.services));
  manager = await createPerson(server.services, { role: 'manager', buildings: [buildingId] });
  viewer = await createPerson(server.services, { role: 'viewer', buildings: [buildingId] });
  cookie = await signInAs(server, manager);
  viewerCookie = await signInAs(server, viewer);
  client = createTestClient(server.url, cookie);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function newIssue(by: TestClient = client): Promise<{ issueId: string }> {
  const id = uuidv7();
  await by.issues.create.mutate({ operationId: uuidv7(), id, buildingId, title: 'A leak' });
  return { issueId: id };
}

/** Returns the input of the photo list for an issue. */
function on(of: AnnouncePhotoInput['of']) {
  return { on: 'issue' as const, onId: 'issueId' in of ? of.issueId : '' };
}

async function storedPhoto(bytes = picture(), place?: { issueId: string }) {
  const announced = announcement(bytes, place ?? (await newIssue()));
  await client.photos.announce.mutate(announced);
  const answer = await putPhoto(server.url, cookie, announced.id, 0, bytes);
  expect(await answer.json()).toMatchObject({ stored: true });
  return announced;
}

const read = (id: string, as = cookie, headers: Record<string, string> = {}, suffix = '') =>
  fetch(`${server.url}/files/photos/${id}${suffix}`, {
    headers: { ...headersFor(server.url, as), ...headers },
  });

describe('a photo', () => {
  test('is announced, sent and listed with the hash that the phone noted', async () => {
    const place = await newIssue();
    const bytes = picture(5_000);
    const announced = announcement(bytes, place);
    expect(await client.photos.announce.mutate(announced)).toEqual({
      id: announced.id,
      version: 1,
      received: 0,
      stored: false,
    });
    // An unfinished upload is not visible.
    expect((await client.photos.list.query(on(place))).data).toEqual([]);
    expect((await read(announced.id)).status).toBe(404);

    const answer = await putPhoto(server.url, cookie, announced.id, 0, bytes);
    expect(await answer.json()).toEqual({
      id: announced.id,
      version: 2,
      received: bytes.byteLength,
      stored: true,
    });
    const { data } = await client.photos.list.query(on(place));
    expect(data).toMatchObject([
      { id: announced.id, sha256: announced.sha256, bytes: bytes.byteLength, uploadedBy: manager.id },
    ]);
    const got = Buffer.from(await (await read(announced.id, viewerCookie)).arrayBuffer());
    expect(createHash('sha256').update(got).digest('hex')).toBe(announced.sha256);
  });

  test('goes on where the connection broke, and lists once', async () => {
    const place = await newIssue();
    const bytes = picture(200_000);
    const announced = announcement(bytes, place);
    await client.photos.announce.mutate(announced);
    await breakOff(announced.id, bytes, 120_000);
    const received = async () =>
      (await client.photos.announce.mutate({ ...announced, operationId: uuidv7() })).received;
    await expect.poll(received).toBeGreaterThan(0);
    const from = await received();
    expect(from).toBeLessThanOrEqual(120_000);
    const answer = await putPhoto(server.url, cookie, announced.id, from, bytes.subarray(from));
    expect(await answer.json()).toMatchObject({ stored: true });
    // The answer was lost, so the phone asks again and sends the end again.
    expect(await client.photos.announce.mutate({ ...announced, operationId: uuidv7() })).toMatchObject({
      stored: true,
      received: bytes.byteLength,
    });
    const again = await putPhoto(server.url, cookie, announced.id, bytes.byteLength, Buffer.alloc(0));
    expect(await again.json()).toMatchObject({ stored: true });
    expect((await client.photos.list.query(on(place))).data).toHaveLength(1);
  });

  test('sent ten times at once is stored once', async () => {
    const place = await newIssue();
    const bytes = picture(50_000);
    const announced = announcement(bytes, place);
    await Promise.all(
      Array.from({ length: 10 }, () =>
        client.photos.announce.mutate({ ...announced, operationId: uuidv7() }),
      ),
    );
    for (let tries = 0; tries < 20; tries += 1) {
      await Promise.allSettled(
        [0, 1, 2].map(() => putPhoto(server.url, cookie, announced.id, 0, bytes).then((r) => r.json())),
      );
      const { stored } = await client.photos.announce.mutate({ ...announced, operationId: uuidv7() });
      if (stored) break;
    }
    const { data } = await client.photos.list.query(on(place));
    expect(data).toHaveLength(1);
    const got = Buffer.from(await (await read(announced.id)).arrayBuffer());
    expect(got.equals(bytes)).toBe(true);
  });

  test('whose bytes are others than announced is dropped and asked for again', async () => {
    const bytes = picture(1_000);
    const announced = announcement(bytes, await newIssue());
    await client.photos.announce.mutate(announced);
    const damaged = Buffer.from(bytes);
    damaged[damaged.length - 30] = (damaged[damaged.length - 30] ?? 0) ^ 1;
    const answer = await putPhoto(server.url, cookie, announced.id, 0, damaged);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain(photoMessages.damaged);
    expect(await client.photos.announce.mutate({ ...announced, operationId: uuidv7() })).toMatchObject({
      received: 0,
      stored: false,
    });
    expect(await (await putPhoto(server.url, cookie, announced.id, 0, bytes)).json()).toMatchObject({
      stored: true,
    });
  });

  test('with more bytes than announced, or from behind the end, is not taken', async () => {
    const bytes = picture(1_000);
    const announced = announcement(bytes, await newIssue());
    await client.photos.announce.mutate(announced);
    expect((await putPhoto(server.url, cookie, announced.id, 5, bytes)).status).toBe(409);
    const longer = Buffer.concat([bytes, Buffer.from('x')]);
    expect((await putPhoto(server.url, cookie, announced.id, 0, longer)).status).toBe(413);
    expect((await putPhoto(server.url, cookie, announced.id, -1, bytes)).status).toBe(400);
  });

  test.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a drawing that can run', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['nothing known', Buffer.from('just some words, and no picture at all')],
  ])('that is %s is refused for good', async (_, bytes) => {
    const announced = announcement(bytes, await newIssue());
    await client.photos.announce.mutate(announced);
    const answer = await putPhoto(server.url, cookie, announced.id, 0, bytes);
    expect(answer.status).toBe(400);
    expect(JSON.parse(await answer.text()).error.data.app.fields).toEqual({
      file: photoMessages.notAPicture,
    });
    expect((await read(announced.id)).status).toBe(404);
  });

  test('whose id is another one, or which is announced as another, is refused', async () => {
    const bytes = picture();
    const announced = await storedPhoto(bytes);
    const other = { ...announced, operationId: uuidv7(), sha256: 'f'.repeat(64) };
    expect(await refusalOf(client.photos.announce.mutate(other))).toMatchObject({ code: 'duplicate' });
  });

  test('number 21 of an issue is refused', async () => {
    const place = await newIssue();
    for (let n = 0; n < PHOTOS_MAX; n += 1)
      await client.photos.announce.mutate(announcement(picture(), place));
    expect(await refusalOf(client.photos.announce.mutate(announcement(picture(), place)))).toMatchObject({
      code: 'invalid',
    });
  });
});

describe('a photo of a check', () => {
  /** Records a check of one call point whose record names a photo. */
  async function recorded(building: string) {
    const operative = await createPerson(server.services, { role: 'operative', buildings: [buildingId] });
    const phone = createTestClient(server.url, await signInAs(server, operative));
    const bytes = picture();
    const photo = announcement(bytes, { visitId: '' });
    const point = await createAsset(server.services, { buildingId: building, type: 'call_point' });
    const line = { ...lineOf('fire_alarm_test', 'fail', point.id), photoIds: [photo.id] };
    const now = new Date().toISOString();
    const visit = visitOf('fire_alarm_test', { buildingId: building, now, entries: [line] });
    const receipt = await phone.checks.record.mutate(visit);
    return { operative, phone, bytes, line, receipt, photo: { ...photo, of: { visitId: visit.visitId } } };
  }

  test('finds its entry by what the record said, and comes from its recorder only', async () => {
    const { operative, phone, bytes, line, photo } = await recorded(buildingId);
    expect(await refusalOf(client.photos.announce.mutate(photo))).toMatchObject({ code: 'not_found' });
    const other = { ...photo, operationId: uuidv7(), id: uuidv7() };
    expect(await refusalOf(phone.photos.announce.mutate(other))).toMatchObject({ code: 'not_found' });
    await phone.photos.announce.mutate({ ...photo, operationId: uuidv7() });
    await putPhoto(server.url, await signInAs(server, operative), photo.id, 0, bytes);
    const { data } = await client.photos.list.query({ on: 'check', onId: line.id });
    expect(data).toMatchObject([
      { id: photo.id, sha256: photo.sha256, uploadedBy: operative.id, buildingId },
    ]);
    expect((await read(photo.id, viewerCookie)).status).toBe(200);
    // The photo belongs to the record.
    const removal = phone.photos.remove.mutate({ operationId: uuidv7(), id: photo.id });
    expect(await refusalOf(removal)).toMatchObject({ code: 'forbidden' });
  });

  test('of a record that is held is kept with it', async () => {
    const { id: elsewhere } = await createBuilding(server.services);
    const { operative, phone, bytes, line, receipt, photo } = await recorded(elsewhere);
    expect(receipt.held).toBe(true);
    await phone.photos.announce.mutate(photo);
    const answer = await putPhoto(server.url, await signInAs(server, operative), photo.id, 0, bytes);
    expect(await answer.json()).toMatchObject({ stored: true });
    const admin = await createPerson(server.services, { role: 'admin' });
    const office = createTestClient(server.url, await signInAs(server, admin));
    expect((await office.photos.list.query({ on: 'check', onId: line.id })).data).toHaveLength(1);
    expect((await phone.photos.list.query({ on: 'check', onId: line.id })).data).toEqual([]);
  });
});

describe('the bytes of a photo', () => {
  test('are served so that they can do nothing, and only for as long as access lasts', async () => {
    const announced = await storedPhoto();
    const answer = await read(announced.id);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'content-disposition': expect.stringMatching(/^inline; filename="photo-\d{4}-\d\d-\d\d\.png"$/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'cross-origin-resource-policy': 'same-origin',
    });
    const etag = answer.headers.get('etag') ?? '';
    expect((await read(announced.id, viewerCookie, { 'if-none-match': etag })).status).toBe(304);
    await server.services.db.delete(userLocationAccess).where(eq(userLocationAccess.userId, viewer.id));
    expect((await read(announced.id, viewerCookie, { 'if-none-match': etag })).status).toBe(404);
    expect((await read(announced.id, viewerCookie, {}, '/thumbnail')).status).toBe(404);
    await server.services.db
      .insert(userLocationAccess)
      .values({ userId: viewer.id, buildingId, grantedAt: new Date().toISOString() });
  });

  test.each([
    ['bytes=0-3', 206, 'bytes 0-3/', 4],
    ['bytes=-5', 206, 'bytes ', 5],
    ['bytes=99999999-', 416, 'bytes */', 0],
    ['bytes=1-2,4-5', 200, '', undefined],
  ])('come in part: %s', async (range, status, contentRange, length) => {
    const announced = await storedPhoto();
    const answer = await read(announced.id, cookie, { range });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-range') ?? '').toContain(contentRange);
    expect((await answer.arrayBuffer()).byteLength).toBe(length ?? announced.bytes);
  });

  test('are refused without a session, to people of other buildings, and to other web sites', async () => {
    const announced = await storedPhoto();
    const stranger = await createPerson(server.services, {
      role: 'manager',
      buildings: [(await createBuilding(server.services)).id],
    });
    const operative = await createPerson(server.services, { role: 'operative', buildings: [buildingId] });
    expect((await read(announced.id, '')).status).toBe(401);
    expect((await read(announced.id, await signInAs(server, stranger))).status).toBe(404);
    expect((await read(announced.id, await signInAs(server, operative))).status).toBe(404);
    expect((await read(announced.id, cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await read('..%2f..%2fetc')).status).toBe(404);
  });

  test('are accepted only from our own pages, and from the person who announced them', async () => {
    const bytes = picture();
    const announced = announcement(bytes, await newIssue());
    await client.photos.announce.mutate(announced);
    const put = (as: string | undefined, headers: Record<string, string>) =>
      putPhoto(server.url, as, announced.id, 0, bytes, headers).then(({ status }) => status);
    expect(await put(cookie, { origin: 'https://evil.example' })).toBe(403);
    expect(await put(cookie, { 'x-app': '' })).toBe(403);
    expect(await put(undefined, {})).toBe(401);
    expect(await put(viewerCookie, {})).toBe(404);
    // The photo was stored on a phone for one person, and is sent after another person has signed in there.
    expect(await put(cookie, { 'x-person': viewer.id })).toBe(401);
  });

  test.each(['application/json', 'text/plain'])('are not read as %s', async (type) => {
    const announced = announcement(picture(), await newIssue());
    const headers = { ...headersFor(server.url, cookie), 'content-type': type, [UPLOAD_OFFSET]: '0' };
    const url = `${server.url}/files/photos/${announced.id}`;
    // Had the body been parsed as JSON, this would be refused as invalid JSON instead.
    expect((await fetch(url, { method: 'PUT', headers, body: '[[[' })).status).toBe(415);
  });

  test('come with a small picture where the phone made one', async () => {
    const bytes = picture();
    const jpeg = Buffer.from(
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
      'base64',
    );
    const announced = { ...announcement(bytes, await newIssue()), thumbnail: jpeg.toString('base64') };
    await client.photos.announce.mutate(announced);
    await putPhoto(server.url, cookie, announced.id, 0, bytes);
    const answer = await read(announced.id, viewerCookie, {}, '/thumbnail');
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(Buffer.from(await answer.arrayBuffer()).equals(jpeg)).toBe(true);
    const script = { ...announcement(bytes, await newIssue()), thumbnail: btoa('<svg onload="alert(1)"/>') };
    expect(await refusalOf(client.photos.announce.mutate(script))).toMatchObject({ code: 'invalid' });
  });
});

describe('who may add and remove', () => {
  test('a reporter adds to their own issue, others without the right do not', async () => {
    const theirs = createTestClient(server.url, viewerCookie);
    const own = await newIssue(theirs);
    expect(await theirs.photos.announce.mutate(announcement(picture(), own))).toMatchObject({ received: 0 });
    const others = announcement(picture(), await newIssue());
    expect(await refusalOf(theirs.photos.announce.mutate(others))).toMatchObject({ code: 'forbidden' });
  });

  test('the person who added it removes it, and its bytes go with the next sweep', async () => {
    const announced = await storedPhoto();
    const theirs = createTestClient(server.url, viewerCookie);
    const refusal = await refusalOf(theirs.photos.remove.mutate({ operationId: uuidv7(), id: announced.id }));
    expect(refusal).toMatchObject({ code: 'forbidden' });
    await client.photos.remove.mutate({ operationId: uuidv7(), id: announced.id });
    expect((await client.photos.list.query(on(announced.of))).data).toEqual([]);
    expect((await read(announced.id)).status).toBe(404);
    const files = async () => (await readdir(join(dataDir, 'files'), { recursive: true })).join('\n');
    expect(await files()).toContain(announced.id);
    await sweepFiles(server.services, fileLayer, new Date());
    expect(await files()).not.toContain(announced.id);
  });
});

describe('the housekeeping', () => {
  test('removes uploads that never ended with their row, and leaves what is stored', async () => {
    const kept = await storedPhoto();
    const bytes = picture(1_000);
    const left = announcement(bytes, await newIssue());
    await client.photos.announce.mutate(left);
    await putPhoto(server.url, cookie, left.id, 0, bytes.subarray(0, 500));
    await writeFile(join(dataDir, 'uploads', `${uuidv7()}.part`), 'without a row');
    await sweepFiles(server.services, fileLayer, new Date(Date.now() + 8 * DAY_MS));
    expect(await readdir(join(dataDir, 'uploads'))).toEqual([]);
    expect(await photoRows(server.services.db, eq(photos.id, left.id))).toEqual([]);
    expect((await read(kept.id)).status).toBe(200);
    // The phone was off for a while: it starts again with the same id.
    const again = await client.photos.announce.mutate({ ...left, operationId: uuidv7() });
    expect(again).toMatchObject({ received: 0, stored: false });
  });
});

describe('what is announced and has not arrived', () => {
  const large = (of: { issueId: string }) => ({ ...announcement(picture(), of), bytes: PHOTO_MAX_BYTES });

  async function reporter() {
    const person = await createPerson(server.services, { role: 'viewer', buildings: [buildingId] });
    const theirs = await signInAs(server, person);
    const phone = createTestClient(server.url, theirs);
    return { person, cookie: theirs, phone, issue: await newIssue(phone) };
  }

  test('has a bound for each person, also where sixty are announced at once', async () => {
    const { person, phone, cookie: theirs, issue } = await reporter();
    const issues = [issue, await newIssue(phone), await newIssue(phone)];
    const all = issues.flatMap((one) => Array.from({ length: PHOTOS_MAX }, () => large(one)));
    expect(all).toHaveLength(60);
    const ends = await Promise.allSettled(all.map((one) => phone.photos.announce.mutate(one)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
    const refused = all[ends.findIndex(({ status }) => status === 'rejected')];
    if (refused === undefined) throw new Error('all were taken');
    // The photo is not lost: the phone keeps it, sends others in the meantime, and tries again.
    expect(await refusalOf(phone.photos.announce.mutate(refused))).toEqual({
      code: 'busy',
      message: photoMessages.tooManyUnfinished,
      thisOnly: true,
    });
    // Other people are not affected.
    expect(await client.photos.announce.mutate(large(await newIssue()))).toMatchObject({ received: 0 });

    // A photo that fits into the remaining space can be finished, and frees its space.
    const last = await newIssue(phone);
    const bytes = picture(4_000_000);
    const fits = announcement(bytes, last);
    await phone.photos.announce.mutate(fits);
    const next = announcement(picture(4_000_000), last);
    expect((await refusalOf(phone.photos.announce.mutate(next))).code).toBe('busy');
    const answer = await putPhoto(server.url, theirs, fits.id, 0, bytes);
    expect(await answer.json()).toMatchObject({ stored: true });
    expect(await phone.photos.announce.mutate(next)).toMatchObject({ received: 0 });

    // The sweep frees space as well.
    await sweepFiles(server.services, fileLayer, new Date(Date.now() + 2 * DAY_MS));
    const left = and(eq(photos.uploadedBy, person.id), eq(storedFiles.state, 'reserved'));
    expect(await photoRows(server.services.db, left)).toEqual([]);
    expect(await phone.photos.announce.mutate({ ...refused, operationId: uuidv7() })).toMatchObject({
      received: 0,
    });
  });

  test('has a bound for all together', async () => {
    const { phone, person, issue } = await reporter();
    const { db } = server.services;
    const announcedAt = new Date().toISOString();
    const { bytes, sha256, contentType, takenAt } = large(issue);
    const files = Array.from({ length: 136 }, () => {
      const id = uuidv7();
      const stored = { id, purpose: 'photo', store: 'disk' as const, key: photoKey({ id, contentType }) };
      return { ...stored, bytes, sha256, contentType, announcedAt, uploadedBy: manager.id };
    });
    await db.insert(storedFiles).values(files);
    const shown = { width: 1, height: 1, takenAt, buildingId, uploadedByName: 'Test Person' };
    await db.insert(photos).values(
      files.map(({ id, uploadedBy }) => ({
        ...shown,
        id,
        on: 'issue' as const,
        onId: uuidv7(),
        uploadedBy,
      })),
    );
    expect(await refusalOf(phone.photos.announce.mutate(large(issue)))).toEqual({
      code: 'busy',
      message: photoMessages.serverFull,
      thisOnly: true,
    });
    await sweepFiles(server.services, fileLayer, new Date(Date.now() + 2 * DAY_MS));
    expect(await phone.photos.announce.mutate(large(issue))).toMatchObject({ received: 0 });
    await db.delete(photos).where(eq(photos.uploadedBy, person.id));
    await db.delete(storedFiles).where(eq(storedFiles.uploadedBy, person.id));
  });

  test('rests no longer once it is announced again', async () => {
    const { phone, cookie: theirs, issue } = await reporter();
    const bytes = picture(1_000);
    const announced = announcement(bytes, issue);
    await phone.photos.announce.mutate(announced);
    const longAgo = new Date(Date.now() - 3 * DAY_MS).toISOString();
    const { db } = server.services;
    await db.update(storedFiles).set({ announcedAt: longAgo }).where(eq(storedFiles.id, announced.id));
    await phone.photos.announce.mutate({ ...announced, operationId: uuidv7() });
    await sweepFiles(server.services, fileLayer, new Date());
    const answer = await putPhoto(server.url, theirs, announced.id, 0, bytes);
    expect(await answer.json()).toMatchObject({ stored: true });
  });

  test('leaves nothing on the disk where its row went while bytes came', async () => {
    const bytes = picture(200_000);
    const announced = announcement(bytes, await newIssue());
    await client.photos.announce.mutate(announced);
    await breakOff(announced.id, bytes, 100_000, async () => {
      await server.services.db.delete(photos).where(eq(photos.id, announced.id));
      await server.services.db.delete(storedFiles).where(eq(storedFiles.id, announced.id));
    });
    await expect.poll(() => readdir(join(dataDir, 'uploads'))).not.toContain(`${announced.id}.part`);
  });
});

describe('a disk that fills', () => {
  const MIB = 1024 * 1024;
  let left: number;
  let small: TestServer;
  let phone: TestClient;

  beforeAll(async () => {
    left = 10_000 * MIB;
    small = await startTestServer(database, {
      env: { dataDir },
      diskSpace: { floor: 256 * MIB, freeBytes: async () => left },
    });
    phone = createTestClient(small.url, cookie);
  });
  afterAll(() => small.stop());

  /** Returns the bytes reserved by unfinished uploads, as the limit counts them. */
  async function reserved(): Promise<number> {
    const rows = await photoRows(small.services.db, eq(storedFiles.state, 'reserved'));
    return rows.reduce((sum, { bytes }) => sum + bytes + THUMBNAIL_MAX_BYTES, 0);
  }

  test('keeps its floor for records: photos wait, also in the middle of one, and what is saved is saved', async () => {
    left = 2_000 * MIB;
    const bytes = picture(3_000_000);
    const announced = announcement(bytes, await newIssue(phone));
    await phone.photos.announce.mutate(announced);
    await putPhoto(small.url, cookie, announced.id, 0, bytes.subarray(0, 1_000_000));
    left = 256 * MIB;
    const answer = await putPhoto(small.url, cookie, announced.id, 1_000_000, bytes.subarray(1_000_000));
    expect(answer.status).toBe(503);
    expect(JSON.parse(await answer.text()).error.data.app).toEqual({
      code: 'busy',
      message: photoMessages.serverFull,
      thisOnly: true,
    });
    const another = announcement(bytes, await newIssue(phone));
    expect(await refusalOf(phone.photos.announce.mutate(another))).toMatchObject({
      code: 'busy',
      thisOnly: true,
    });
    await newIssue(phone);
    expect((await fetch(`${small.url}/readyz`)).status).toBe(200);
    left = 2_000 * MIB;
    const rest = await putPhoto(small.url, cookie, announced.id, 1_000_000, bytes.subarray(1_000_000));
    expect(await rest.json()).toMatchObject({ stored: true });
  });

  test('counts what is announced as taken already', async () => {
    const issue = await newIssue(phone);
    left = 256 * MIB + 20 * MIB + (await reserved());
    const large = () => ({ ...announcement(picture(), issue), bytes: PHOTO_MAX_BYTES });
    await phone.photos.announce.mutate(large());
    expect((await refusalOf(phone.photos.announce.mutate(large()))).message).toBe(photoMessages.serverFull);
  });

  test('is told to administrators and to the monitoring long before', async () => {
    const admin = await createPerson(small.services, { role: 'admin' });
    const low = async (person: TestPerson) =>
      (await createTestClient(small.url, await signInAs(small, person)).session.me.query()).data.diskLow;
    left = 5_000 * MIB;
    expect(await low(admin)).toBe(false);
    left = 1_000 * MIB;
    expect(await low(admin)).toBe(true);
    expect(await low(manager)).toBe(false);
    const figures = await (await fetch(`${small.url}/metrics`)).text();
    expect(figures).toContain(`lintel_disk_free_bytes ${left}\n`);
    expect(figures).toContain(`lintel_disk_floor_bytes ${256 * MIB}\n`);
    expect(figures).toMatch(/^lintel_photos_unfinished [1-9]\d*$/m);
    expect(figures).toMatch(/^lintel_photos_unfinished_bytes [1-9]\d*$/m);
    await sweep(small.services);
    expect(small.logged.join('')).toContain('the disk is nearly full');
  });
});

test('a disk that is full says so, and nothing is lost on the phone', async () => {
  const full = await startTestServer(database, {
    env: { dataDir },
    diskSpace: { floor: 1, freeBytes: async () => 10 },
  });
  try {
    const phone = createTestClient(full.url, cookie);
    const refusal = await refusalOf(phone.photos.announce.mutate(announcement(picture(), await newIssue())));
    expect(refusal).toEqual({
      code: 'busy',
      message: 'The server has no space for the photo. It stays on your device and will be sent later.',
      thisOnly: true,
    });
  } finally {
    await full.stop();
  }
});

/** Uploads a photo over a connection that breaks after some bytes. */
async function breakOff(
  id: string,
  bytes: Buffer,
  after: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const target = request(`${server.url}/files/photos/${id}`, {
    method: 'PUT',
    headers: {
      ...headersFor(server.url, cookie),
      'content-type': 'application/octet-stream',
      'content-length': bytes.byteLength,
      'upload-offset': 0,
    },
  });
  const closed = new Promise<void>((resolve) => target.once('close', () => resolve()));
  target.on('error', () => undefined);
  target.write(bytes.subarray(0, after));
  const parts = diskPartialUploads(join(dataDir, 'uploads'));
  await expect.poll(() => parts.size(id)).toBeGreaterThan(0);
  await meanwhile();
  target.destroy();
  await closed;
}
