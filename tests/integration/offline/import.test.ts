import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import { events } from '#db/schema/live.ts';
import { photos } from '#db/schema/photos.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { importMessages } from '#shared/offline/import-messages.ts';
import type { UnsentContent, UnsentFile, UnsentImported } from '#shared/offline/unsent-file.ts';
import { fullName } from '#shared/text/names.ts';
import { Device } from '#tests/support/offline/device.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { announcement, photoRows, picture } from '#tests/support/rows/photos.ts';
import { createTestClient, headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { announcementOf } from '#web/features/photos/taken-photo.ts';
import { unsentFile } from '#web/features/sync/save-unsent.ts';
import type { NewAttachment } from '#web/offline/types.ts';

// The file of a phone that never gets a connection, imported by an administrator.

let database: TestDatabase;
let dataDir: string;
let server: TestServer;
let building: TestBuilding;
let elsewhere: TestBuilding;
let manager: TestPerson;
let admin: TestPerson;
let adminCookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-import-'));
  server = await startTestServer(database, { env: { dataDir } });
  [building, elsewhere] = [await createBuilding(server.services), await createBuilding(server.services)];
  manager = await createPerson(server.services, { role: 'manager', buildings: [building.id] });
  admin = await createPerson(server.services, { role: 'admin' });
  adminCookie = await signInAs(server, admin);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the file exported by a phone without a connection. */
async function exported(...titles: string[]): Promise<UnsentFile> {
  return exportedWith([], ...titles);
}

async function exportedWith(attachments: NewAttachment[], ...titles: string[]): Promise<UnsentFile> {
  const device = new Device();
  device.online = false;
  const page = device.openPage({
    transport: { send: () => Promise.reject(new Error('offline')), sendAttachment: () => Promise.resolve() },
  });
  await page.offline.setPerson(manager.id);
  for (const title of titles) {
    await page.offline.enqueue({
      command: 'issues.create',
      input: { id: uuidv7(), buildingId: building.id, title },
      title,
      attachments,
    });
  }
  const me = { id: manager.id, firstName: 'Test', lastName: 'Person' };
  return (await unsentFile(page.offline.items, me)).file;
}

function changed(file: UnsentFile, change: (content: UnsentContent) => unknown, seal = true): UnsentFile {
  const inside = JSON.parse(file.content) as UnsentContent;
  change(inside);
  const content = JSON.stringify(inside);
  return { ...file, content, ...(seal && { sha256: createHash('sha256').update(content).digest('hex') }) };
}

async function bring(file: unknown, cookie = adminCookie) {
  const response = await fetch(`${server.url}/files/unsent`, {
    method: 'POST',
    headers: { ...headersFor(server.url, cookie), 'content-type': 'application/json' },
    body: typeof file === 'string' ? file : JSON.stringify(file),
  });
  return { status: response.status, answer: (await response.json()) as UnsentImported & { error?: unknown } };
}

async function issuesCalled(title: string) {
  const { db } = server.services;
  return db.select().from(buildingIssues).where(eq(buildingIssues.title, title));
}

describe('the import of unsent records', () => {
  test('stores each in the name of who made it, marked as imported, and a second time nothing', async () => {
    const file = await exported('Leak in the cellar', 'Door of the plant room');
    const first = await bring(file);
    expect(first).toMatchObject({ status: 200, answer: { imported: 2, known: 0, refused: [] } });
    expect((await bring(file)).answer).toMatchObject({ imported: 0, known: 2, refused: [] });
    const [issue, ...more] = await issuesCalled('Leak in the cellar');
    expect([issue?.reportedBy, more.length]).toEqual([manager.id, 0]);
    await expect
      .poll(() =>
        server.services.db
          .select()
          .from(events)
          .where(eq(events.entityId, issue?.id ?? '')),
      )
      .toMatchObject([{ actor: admin.id, command: 'issues.create.imported' }]);
    const activity = createTestClient(server.url, adminCookie).activity.list.query({ filter: {}, limit: 10 });
    expect((await activity).data.entries.map(({ command }) => command)).toContain('issues.create.imported');
  });

  test('what the phone sends later all the same is the same record', async () => {
    const file = await exported('Sent twice');
    await bring(file);
    const [entry] = (JSON.parse(file.content) as UnsentContent).entries;
    if (entry === undefined) throw new Error('the file is empty');
    const client = createTestClient(server.url, await signInAs(server, manager));
    const input = {
      ...(entry.input as { id: string; buildingId: string; title: string }),
      operationId: entry.id,
    };
    const receipt = await client.issues.create.mutate(input);
    const found = await issuesCalled('Sent twice');
    expect(found.map(({ id }) => id)).toEqual([receipt.id]);
  });

  test('photos come with their record, and one that is not what the phone noted is named', async () => {
    const bytes = picture(2_000);
    const photo = (sha256: string) => ({
      id: uuidv7(),
      blob: new Blob([new Uint8Array(bytes)], { type: 'image/png' }),
      sha256,
      about: { width: 1, height: 1 },
    });
    const good = photo(createHash('sha256').update(bytes).digest('hex'));
    const file = await exportedWith([good, photo('0'.repeat(64))], 'With photos');
    const expected = [{ title: 'With photos, photo 2', reason: importMessages.photoChanged }];
    expect((await bring(file)).answer).toMatchObject({ imported: 1, refused: expected });
    expect((await bring(file)).answer).toMatchObject({ known: 1, refused: expected });
    const stored = await photoRows(server.services.db);
    expect(stored).toMatchObject([
      { id: good.id, sha256: good.sha256, state: 'stored', uploadedBy: manager.id, bytes: bytes.length },
    ]);
  });

  test('a photo of an issue comes by file too, of a person who cannot sign in any more', async () => {
    const person = await createPerson(server.services, { role: 'manager', buildings: [building.id] });
    const cookie = await signInAs(server, person);
    const issueId = uuidv7();
    await createTestClient(server.url, cookie).issues.create.mutate({
      operationId: uuidv7(),
      id: issueId,
      buildingId: building.id,
      title: 'Photographed later',
    });
    const bytes = picture(900);
    const { input, attachment } = announcementOf(
      {
        id: uuidv7(),
        blob: new Blob([new Uint8Array(bytes)], { type: 'image/png' }),
        sha256: createHash('sha256').update(bytes).digest('hex'),
        contentType: 'image/png',
        about: { width: 1, height: 1 },
      },
      { issueId },
    );
    const page = new Device().openPage({
      transport: {
        send: () => Promise.reject(new Error('offline')),
        sendAttachment: () => Promise.resolve(),
      },
    });
    await page.offline.setPerson(person.id);
    const entry = { command: 'photos.announce', input, title: 'A photo', attachments: [attachment] };
    await page.offline.enqueue(entry);
    const admins = createTestClient(server.url, adminCookie);
    await admins.users.setActive.mutate({ operationId: uuidv7(), userId: person.id, active: false });
    const me = { id: person.id, firstName: 'Test', lastName: 'Person' };
    const { file } = await unsentFile(page.offline.items, me);
    expect((await bring(file)).answer).toMatchObject({ imported: 1, known: 0, refused: [] });
    expect((await bring(file)).answer).toMatchObject({ imported: 0, known: 1, refused: [] });
    const stored = await photoRows(server.services.db, eq(photos.onId, issueId));
    expect(stored).toMatchObject([
      { id: input.id, state: 'stored', uploadedBy: person.id, bytes: bytes.length },
    ]);
    await page.close();
  });

  test('is parsed in a thread: the server itself parses nothing of the size of a file', async () => {
    const bytes = picture(300_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const blob = new Blob([new Uint8Array(bytes)], { type: 'image/png' });
    const photo = { id: uuidv7(), blob, sha256, about: { width: 1, height: 1 } };
    const file = JSON.stringify(await exportedWith([photo], 'Parsed elsewhere'));
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect((await bring(file)).answer).toMatchObject({ imported: 1, refused: [] });
      const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
      expect(longest).toBeLessThan(file.length / 10);
    } finally {
      parse.mockRestore();
    }
  });

  test('what cannot be stored is named with its reason, and the rest is stored', async () => {
    const file = changed(await exported('Fine', 'Not theirs', 'No title', 'Unknown'), ({ entries }) => {
      Object.assign(entries[1]?.input ?? {}, { buildingId: elsewhere.id });
      Object.assign(entries[2]?.input ?? {}, { title: '' });
      Object.assign(entries[3] ?? {}, { command: 'issues.burn' });
    });
    expect((await bring(file)).answer).toMatchObject({
      imported: 1,
      refused: [
        { title: 'Not theirs', reason: messages.common.notFound },
        { title: 'No title', reason: messages.issues.titleRequired },
        { title: 'Unknown', reason: importMessages.commandUnknown },
      ],
    });
  });

  test.each<[string, (file: UnsentFile) => unknown, string]>([
    ['no JSON', () => 'PK\u0003\u0004', importMessages.fileUnknown],
    ['something else', () => ({ hello: 1 }), importMessages.fileUnknown],
    ['a newer version', (file) => ({ ...file, version: 99 }), importMessages.fileNewer],
    [
      'one letter changed',
      (file) => changed(file, ({ entries }) => entries.pop(), false),
      importMessages.fileChanged,
    ],
    [
      'a stranger',
      (file) => changed(file, (content) => Object.assign(content, { personId: uuidv7() })),
      importMessages.filePerson,
    ],
    [
      'no entries',
      (file) => changed(file, (content) => Reflect.deleteProperty(content, 'entries')),
      importMessages.fileUnknown,
    ],
  ])('refuses %s with its own sentence, and stores nothing', async (name, spoil, sentence) => {
    const { status, answer } = await bring(spoil(await exported(`Refused: ${name}`)));
    expect(status).toBe(400);
    expect(answer.error).toMatchObject({ data: { app: { code: 'invalid', message: sentence } } });
    expect(await issuesCalled(`Refused: ${name}`)).toEqual([]);
  });

  test('is for those who manage people', async () => {
    const { status } = await bring(await exported('By a manager'), await signInAs(server, manager));
    expect(status).toBe(403);
    expect(await issuesCalled('By a manager')).toEqual([]);
  });
});

test('a request that names another person than the cookie does is not signed in', async () => {
  const cookie = await signInAs(server, manager);
  const call = (person: string) =>
    fetch(`${server.url}/trpc/session.me`, {
      headers: { ...headersFor(server.url, cookie), 'x-person': person },
    });
  expect((await call(manager.id)).status).toBe(200);
  expect((await call(admin.id)).status).toBe(401);
});

test('a photo that comes by a file says who brought it, and one that its person has announced does not', async () => {
  const client = createTestClient(server.url, await signInAs(server, manager));
  const issueId = uuidv7();
  const issue = { operationId: uuidv7(), id: issueId, buildingId: building.id, title: 'Forged evidence' };
  await client.issues.create.mutate({ ...issue, description: '', priority: 'low' });
  const [forged, own] = [picture(1), picture(2)];
  const announced = announcement(own, { issueId });
  await client.photos.announce.mutate(announced);

  // An entry already on the server, with photos that no phone has sent.
  const attached = (bytes: Buffer, { id, sha256, contentType } = announcement(bytes, { issueId })) => {
    return { id, sha256, contentType, about: { width: 1, height: 1 }, data: bytes.toString('base64') };
  };
  const file = changed(await exported('Forged evidence'), ({ entries }) => {
    const entry = entries[0];
    if (entry === undefined) throw new Error('the file is empty');
    Object.assign(entry, { input: null, receipt: { id: issueId } });
    entry.attachments = [attached(forged), attached(own, announced)];
  });
  expect(await bring(file)).toMatchObject({ status: 200, answer: { imported: 0, known: 1, refused: [] } });
  const { data: admins } = await createTestClient(server.url, adminCookie).session.me.query();
  const listed = await client.photos.list.query({ on: 'issue', onId: issueId });
  const marks = listed.data.map(({ id, importedByName }) => [id === announced.id, importedByName]);
  expect(marks.toSorted()).toEqual([
    [false, fullName(admins)],
    [true, null],
  ]);
});
