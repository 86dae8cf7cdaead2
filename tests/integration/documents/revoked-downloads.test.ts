import { get, type IncomingMessage } from 'node:http';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import type { SignedInContext } from '#server/kernel/context.ts';
import { uuidv7 } from '#shared/ids.ts';
import { pause } from '#tests/support/pace.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { addFolder, contextOf, storeFile } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

/** Repeated, this is more than the buffers of the connection take, so that the server waits for the reader. */
const PIECE = 'a line of a plan\n'.repeat(2 ** 12);
const PIECES = 400;
const PACE_MS = 10;

let database: TestDatabase;
let server: TestServer;
let admin: TestClient;
let ctx: SignedInContext;
let building: { id: string };
let documentId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  const cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  admin = createTestClient(server.url, cookie);
  ctx = await contextOf(server, cookie);
  building = await createBuilding(server.services);
  const folderId = await addFolder(admin, { buildingId: building.id, name: 'Plans' });
  const place = { at: 'folder', folderId } as const;
  const content = PIECE.repeat(PIECES);
  ({ documentId } = await storeFile(ctx, { buildingId: building.id, place, fileName: 'plan.bin', content }));
  const { db, stores } = server.services;
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, documentId));
  const bytes = (async function* () {
    for (let n = 0; n < PIECES; n += 1) yield Buffer.from(PIECE);
  })();
  await stores.disk.storage.put(file?.key ?? '', bytes, { maxBytes: content.length });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** A person who has begun to download something, and then stops reading. */
async function reader(urlOf: (client: TestClient) => Promise<string>) {
  const person = await createPerson(server.services, { role: 'manager', buildings: [building.id] });
  const cookie = await signInAs(server, person);
  const client = createTestClient(server.url, cookie);
  const url = server.url + (await urlOf(client));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { cookie }, agent: false }, resolve).on('error', reject);
  });
  expect(answer.statusCode).toBe(200);
  answer.on('error', () => undefined);
  /** Reads so slowly that the whole would take many seconds. @returns whether everything arrived */
  const readSlowly = async () => {
    while (!answer.destroyed && !answer.readableEnded) {
      answer.read();
      await pause(PACE_MS);
    }
    return answer.complete;
  };
  /** @returns whether everything arrived */
  const readOn = () =>
    new Promise<boolean>((resolve) => {
      answer.once('close', () => resolve(answer.complete));
      answer.resume();
    });
  return { person, client, readSlowly, readOn };
}

const WHAT: Readonly<Record<string, (client: TestClient) => Promise<string>>> = {
  'a document': async (client) => (await client.documents.link.query({ id: documentId, as: 'download' })).url,
  'an archive': async (client) => (await client.documents.archiveLink.query({ ids: [documentId] })).url,
};
type Reader = Awaited<ReturnType<typeof reader>>;
const operation = () => ({ operationId: uuidv7() });
const LOSES: Readonly<Record<string, (one: Reader) => Promise<unknown>>> = {
  'is taken off the building': ({ person }) =>
    admin.users.revoke.mutate({ ...operation(), userId: person.id, buildingId: building.id }),
  'signs out': ({ client }) => client.session.signOut.mutate({}),
};

describe.each(Object.entries(WHAT))('%s that is being downloaded', (_what, urlOf) => {
  test.each(Object.entries(LOSES))(
    'breaks off when its reader %s, and for nobody else',
    async (_how, lose) => {
      const [leaving, staying] = [await reader(urlOf), await reader(urlOf)];
      // From this moment on, the server checks whether its downloads may go on.
      const told = new Promise<void>((resolve) => {
        server.live.onAccessChanged((userIds) => userIds.includes(leaving.person.id) && resolve());
      });
      await lose(leaving);
      await told;
      expect(await leaving.readSlowly()).toBe(false);
      expect(await staying.readOn()).toBe(true);
    },
  );
});
