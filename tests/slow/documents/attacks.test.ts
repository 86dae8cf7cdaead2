import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { documents } from '#db/schema/documents.ts';
import { storedFiles } from '#db/schema/files.ts';
import type { DocumentPlace, StoredDocument } from '#shared/features/documents/documents.ts';
import { FOLDER_DEPTH_MAX, FOLDER_PATHS_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { addFolder, expectTallies, GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';

// Attacks on documents over HTTP, by a person with a session and a terminal.

const LIMIT = { burst: 100_000, perSecond: 10_000 };
const MIB = 1024 * 1024;

let database: TestDatabase;
let server: TestServer;
let client: TestClient;
let cookie: string;
/** A manager of another company's building. */
let outsider: { client: TestClient; cookie: string };
let buildingId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { limits: { person: LIMIT, anonymous: LIMIT } });
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  client = createTestClient(server.url, cookie);
  const theirs = await signInAs(server, await createPerson(server.services, { role: 'manager' }));
  outsider = { cookie: theirs, client: createTestClient(server.url, theirs) };
});
beforeEach(async () => {
  buildingId = (await createBuilding(server.services)).id;
});
afterAll(async () => {
  // No request above may end in an unexpected error.
  const unexpected = server.logged.filter((line) => line.includes('unexpected error'));
  await server.stop();
  await database.drop();
  expect(unexpected).toEqual([]);
});

const operation = () => ({ operationId: uuidv7() });
const inFolder = (folderId: string): DocumentPlace => ({ at: 'folder', folderId });

type Sent = { name?: string; bytes?: Buffer; place?: DocumentPlace; as?: string };

async function announce({ name = 'plan.txt', bytes = Buffer.from('0123456789'), place, as }: Sent = {}) {
  const id = uuidv7();
  const input = {
    uploadId: id,
    buildingId,
    place: place ?? GENERAL_PLACE,
    lastModified: 1,
    onSameName: 'keep_both',
  };
  const address = await presignDocument(server.url, as ?? cookie, input, { name, bytes });
  return { id, address, bytes };
}

async function upload(sent: Sent = {}): Promise<StoredDocument> {
  const { address, bytes } = await announce(sent);
  const answer = await rawClient(server.url, sent.as ?? cookie).putRaw(address, bytes);
  expect(answer.status).toBe(200);
  return (await answer.json()).serverData;
}

const read = (path: string, as: string | undefined, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers: { ...headersFor(server.url, as), ...headers } });
const filesHere = () => server.services.db.$count(documents, eq(documents.buildingId, buildingId));

describe('an address of a document', () => {
  let viewer: TestPerson;
  let viewerCookie: string;
  let documentId: string;
  let url: string;

  beforeEach(async () => {
    viewer = await createPerson(server.services, { role: 'viewer', buildings: [buildingId] });
    viewerCookie = await signInAs(server, viewer);
    ({ documentId } = await upload());
    const theirs = createTestClient(server.url, viewerCookie);
    ({ url } = await theirs.documents.link.query({ id: documentId, as: 'preview' }));
    expect((await read(url, viewerCookie)).status).toBe(200);
  });

  test('is worth nothing while the document is deleted, by itself or with its folder', async () => {
    const folderId = await addFolder(client, { buildingId });
    const move = { buildingId, ids: [documentId], to: inFolder(folderId) };
    await client.documents.move.mutate({ ...operation(), ...move });
    expect((await read(url, viewerCookie)).status).toBe(200);
    for (const id of [documentId, folderId]) {
      await client.documents.remove.mutate({ ...operation(), buildingId, ids: [id] });
      expect((await read(url, viewerCookie)).status).toBe(404);
      expect((await read(url, viewerCookie, {}, 'HEAD')).status).toBe(404);
      await client.documents.restore.mutate({ ...operation(), id });
      expect((await read(url, viewerCookie)).status).toBe(200);
    }
  });

  test('is worth nothing without the building, without the account, and after signing out', async () => {
    const access = { userId: viewer.id, buildingId };
    await client.users.revoke.mutate({ ...operation(), ...access });
    expect((await read(url, viewerCookie)).status).toBe(404);
    await client.users.grant.mutate({ ...operation(), ...access });
    expect((await read(url, viewerCookie)).status).toBe(200);
    await createTestClient(server.url, viewerCookie).session.signOut.mutate({});
    expect((await read(url, viewerCookie)).status).toBe(401);
    const again = await signInAs(server, viewer);
    expect((await read(url, again)).status).toBe(200);
    await client.users.setActive.mutate({ ...operation(), userId: viewer.id, active: false });
    expect((await read(url, again)).status).toBe(401);
  });

  test.each([
    ['bytes=0-0,2-3', 200, '0123456789'],
    ['bytes=0-,0-,0-,0-', 200, '0123456789'],
    ['bytes=5-2', 200, '0123456789'],
    ['bytes=-', 200, '0123456789'],
    ['bytes=--3', 200, '0123456789'],
    ['bytes=0x1-3', 200, '0123456789'],
    ['lines=0-1', 200, '0123456789'],
    ['bytes=99999999999999999999-', 200, '0123456789'],
    ['bytes=0-999999999999999', 206, '0123456789'],
    ['bytes=-999999999999999', 206, '0123456789'],
    ['bytes=9-9', 206, '9'],
    ['bytes=10-10', 416, ''],
    ['bytes=-0', 416, ''],
  ])('gives %j no more and no less than there is', async (range, status, text) => {
    const answer = await read(url, viewerCookie, { range });
    expect([answer.status, await answer.text()]).toEqual([status, text]);
    expect(answer.headers.get('content-length')).toBe(String(text.length));
    const head = await read(url, viewerCookie, { range }, 'HEAD');
    expect([head.status, await head.text()]).toEqual([status, '']);
  });

  test.each(['W/"0"', '"0"', '*', 'Wed, 21 Oct 2099 07:28:00 GMT', '"'])(
    'gives the whole where If-Range is %j',
    async (condition) => {
      const answer = await read(url, viewerCookie, { range: 'bytes=2-4', 'if-range': condition });
      expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
    },
  );

  test.each(['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'])('is not there for %s', async (method) => {
    expect((await read(url, viewerCookie, {}, method)).status).toBeGreaterThanOrEqual(400);
    expect((await read(url, viewerCookie)).status).toBe(200);
  });
});

describe('an upload', () => {
  test.each([-1, 0.5, 1e20, Number.NaN, '5', null, {}])('of %j bytes is refused', async (size) => {
    const answer = await fetch(`${server.url}/api/uploadthing?actionType=upload&slug=document`, {
      method: 'POST',
      headers: {
        ...headersFor(server.url, cookie),
        'content-type': 'application/json',
        'x-uploadthing-package': 'test',
        'x-uploadthing-version': '7.7.4',
      },
      body: JSON.stringify({
        files: [{ name: 'a', size, type: 'text/plain', lastModified: 1 }],
        input: { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 },
      }),
    });
    expect(answer.status).toBe(400);
  });

  test.each(['bytes=-5', 'bytes=1-2', 'bytes=0-,5-', 'bytes=1e3-', 'bytes= 0-', 'bytes=0x0-', 'items=0-'])(
    'from %j is refused, and goes on',
    async (range) => {
      const { address, bytes } = await announce();
      const headers = {
        ...headersFor(server.url, cookie),
        range,
        'content-type': 'application/octet-stream',
      };
      const wrong = await fetch(server.url + address, {
        method: 'PUT',
        headers,
        body: Uint8Array.from(bytes),
      });
      expect(wrong.status).toBe(400);
      expect((await rawClient(server.url, cookie).putRaw(address, bytes)).status).toBe(200);
    },
  );

  test('whose address is sent again is the same document, also once that is deleted', async () => {
    const { id, address, bytes } = await announce();
    const raw = rawClient(server.url, cookie);
    const first = (await (await raw.putRaw(address, bytes)).json()).serverData;
    await client.documents.remove.mutate({ ...operation(), buildingId, ids: [id] });
    const again = await raw.putRaw(address, Buffer.from('other text'));
    expect((await again.json()).serverData).toEqual(first);
    expect(await filesHere()).toBe(1);
    const [row] = await server.services.db.select().from(storedFiles).where(eq(storedFiles.id, id));
    expect(row?.state).toBe('removed');
    expect((await rawClient(server.url, outsider.cookie).putRaw(address, bytes)).status).toBe(404);
  });

  test('whose sender loses the permission meanwhile is refused, and is taken when they have it again', async () => {
    const sender = await createPerson(server.services, { role: 'admin' });
    const as = await signInAs(server, sender);
    const { address, bytes } = await announce({ as, bytes: randomBytes(MIB) });
    const raw = rawClient(server.url, as);
    expect((await raw.putRaw(address, bytes.subarray(0, MIB / 2))).status).toBe(400);
    const setRole = (role: 'admin' | 'viewer') =>
      client.users.setRole.mutate({ ...operation(), userId: sender.id, role });
    await setRole('viewer');
    expect((await raw.putRaw(address, bytes, MIB / 2)).status).toBe(403);
    expect(await filesHere()).toBe(0);
    await setRole('admin');
    expect((await raw.putRaw(address, bytes, MIB)).status).toBe(200);
    expect(await filesHere()).toBe(1);
  });

  test('of another person is theirs alone, whatever id is announced', async () => {
    const { id } = await announce();
    const mine = createPerson(server.services, { role: 'admin' });
    const as = await signInAs(server, await mine);
    const input = {
      uploadId: id,
      buildingId,
      place: GENERAL_PLACE,
      lastModified: 1,
      onSameName: 'keep_both',
    };
    const file = { name: 'plan.txt', bytes: Buffer.from('0123456789') };
    await expect(presignDocument(server.url, as, input, file)).rejects.toThrow(/duplicate/);
  });

  test('of one name by many at once is as many documents, each with a name of its own', async () => {
    const sent = await Promise.all(Array.from({ length: 8 }, () => announce()));
    const raw = rawClient(server.url, cookie);
    const answers = await Promise.all(sent.map(({ address, bytes }) => raw.putRaw(address, bytes)));
    expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
    const { rows } = (await client.documents.list.query({ buildingId, place: GENERAL_PLACE })).data;
    expect(rows.map(({ fileName }) => fileName)).toEqual([
      'plan (2).txt',
      ...[3, 4, 5, 6, 7, 8].map((number) => `plan (${number}).txt`),
      'plan.txt',
    ]);
  });

  test('into folders of another building, or of none, is refused', async () => {
    const elsewhere = (await createBuilding(server.services)).id;
    const there = await addFolder(client, { buildingId: elsewhere });
    await expect(announce({ place: inFolder(there) })).rejects.toThrow(/not_found/);
    await expect(announce({ place: inFolder(uuidv7()) })).rejects.toThrow(/not_found/);
    const { documentId } = await upload();
    await expect(announce({ place: inFolder(documentId) })).rejects.toThrow(/not_found/);
  });
});

describe('folders', () => {
  test('moved into each other at once are never in a circle', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await addFolder(client, { buildingId }), await addFolder(client, { buildingId })];
      const move = (id: string, into: string) =>
        client.documents.move.mutate({ ...operation(), buildingId, ids: [id], to: inFolder(into) });
      const outcomes = await Promise.allSettled([move(a, b), move(b, a)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const trails = await Promise.all(
        [a, b].map(async (folderId) => (await client.documents.path.query({ folderId })).data.folders.length),
      );
      expect(trails.sort()).toEqual([1, 2]);
    }
    await expectTallies(server);
  });

  test('are as deep as they may be, and no deeper by making, moving or restoring', async () => {
    const path = (length: number) => Array.from({ length }, (_, n) => `Level ${n}`);
    const make = (length: number, place: DocumentPlace = GENERAL_PLACE) =>
      client.documents.createFolders.mutate({ ...operation(), buildingId, place, paths: [path(length)] });
    const { folderIds } = await make(FOLDER_DEPTH_MAX);
    const deepest = inFolder(folderIds[0] ?? '');
    const tooDeep = { code: 'invalid', message: documentMessages.tooDeep(FOLDER_DEPTH_MAX) };
    expect(await refusalOf(make(1, deepest))).toMatchObject(tooDeep);
    expect(await refusalOf(make(FOLDER_DEPTH_MAX + 1))).toMatchObject({ code: 'invalid' });
    const loose = await addFolder(client, { buildingId });
    const move = client.documents.move.mutate({ ...operation(), buildingId, ids: [loose], to: deepest });
    expect(await refusalOf(move)).toMatchObject(tooDeep);
    await upload({ place: deepest });
    const { data: top } = await client.documents.list.query({ buildingId, place: GENERAL_PLACE });
    const ids = top.rows.map(({ id }) => id);
    const { files, folders } = (await client.documents.subtree.query({ ids })).data;
    expect([files, folders]).toEqual([1, FOLDER_DEPTH_MAX + 1]);
    const { url } = await client.documents.archiveLink.query({ ids });
    const archive = await read(url, cookie);
    expect(Buffer.from(await archive.arrayBuffer()).includes(`Level ${FOLDER_DEPTH_MAX - 1}/plan.txt`)).toBe(
      true,
    );
  });

  test('by thousands in one place are made, listed by pages, deleted and restored at once', {
    timeout: 120_000,
  }, async () => {
    const outer = await addFolder(client, { buildingId, name: 'Outer' });
    const place = inFolder(outer);
    for (let from = 0; from < 3_000; from += FOLDER_PATHS_MAX) {
      const paths = Array.from({ length: FOLDER_PATHS_MAX }, (_, n) => [`Folder ${from + n}`]);
      await client.documents.createFolders.mutate({ ...operation(), buildingId, place, paths });
    }
    const { rows, total, nextCursor } = (await client.documents.list.query({ buildingId, place })).data;
    expect([rows.length, total, rows[0]?.fileName]).toEqual([100, 3_000, 'Folder 0']);
    const next = await client.documents.list.query({ buildingId, place, cursor: nextCursor });
    expect(next.data.rows[0]?.fileName).toBe('Folder 100');
    const remove = { ...operation(), buildingId, ids: [outer] };
    expect(await client.documents.remove.mutate(remove)).toMatchObject({ folders: 3_001 });
    expect(await client.documents.restore.mutate({ ...operation(), id: outer })).toMatchObject({
      folders: 3_001,
    });
    await expectTallies(server);
  });

  test('are nothing to a person of another building', async () => {
    const folderId = await addFolder(client, { buildingId });
    const { documentId } = await upload({ place: inFolder(folderId) });
    const { documents: theirs } = outsider.client;
    const place = inFolder(folderId);
    const asked = [
      theirs.root.query({ buildingId }),
      theirs.list.query({ buildingId, place }),
      theirs.list.query({ buildingId, place: { at: 'building' }, search: 'plan' }),
      theirs.path.query({ folderId }),
      theirs.byId.query({ id: documentId }),
      theirs.link.query({ id: documentId, as: 'download' }),
      theirs.subtree.query({ ids: [folderId] }),
      theirs.archiveLink.query({ ids: [folderId, documentId] }),
    ];
    const refusals = await Promise.all(asked.map((call) => refusalOf(call)));
    expect(refusals.map(({ code }) => code)).toEqual(asked.map(() => 'not_found'));
    const thumbnail = await read(`/files/documents/${documentId}/thumbnail`, outsider.cookie);
    expect(thumbnail.status).toBe(404);
  });
});
