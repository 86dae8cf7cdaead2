import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedFiles } from '#db/schema/files.ts';
import { actorOf } from '#server/access/actor.ts';
import { type NewFile, removeFiles, reserveFile, restoreFiles } from '#server/features/files/files.writes.ts';
import { type Command, runCommand } from '#server/kernel/commands.ts';
import type { SignedInContext } from '#server/kernel/context.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let mine: SignedInContext;
let theirs: SignedInContext;
let free = 1_000_000_000;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { diskSpace: { floor: 1, freeBytes: async () => free } });
  [mine, theirs] = await Promise.all([contextOf(), contextOf()]);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function contextOf(): Promise<SignedInContext> {
  const cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  const session = await server.services.sessions.validate(cookie.slice(cookie.indexOf('=') + 1));
  if (session === undefined) throw new Error('no session');
  return {
    services: server.services,
    actor: actorOf(session),
    requestId: 'test',
    address: '127.0.0.1',
    userAgent: 'test',
    setCookie: () => undefined,
  };
}

function run<Result>(ctx: SignedInContext, work: (command: Command) => Promise<Result>): Promise<Result> {
  return runCommand(ctx, 'files.test', { operationId: uuidv7() }, work);
}

const newFile = (more: Partial<NewFile> = {}): NewFile => {
  const id = uuidv7();
  return { id, purpose: 'test', key: `test/${id}`, bytes: 5, contentType: 'text/plain', ...more };
};
const reserve = (ctx: SignedInContext, file: NewFile) =>
  run(ctx, (command) => reserveFile(command, ctx.services, file));
/** Returns a result only because a command's result is stored. */
async function removing(command: Command, ids: string[]): Promise<string[]> {
  await removeFiles(command, ids);
  return ids;
}
async function rowOf(id: string) {
  const [row] = await server.services.db.select().from(storedFiles).where(eq(storedFiles.id, id));
  return row;
}
async function storedFile(): Promise<string> {
  const { id } = await reserve(mine, newFile());
  await server.services.db
    .update(storedFiles)
    .set({ state: 'stored', receivedAt: new Date().toISOString(), sha256: '00' })
    .where(eq(storedFiles.id, id));
  return id;
}

describe('a reserved file', () => {
  test('has a size beyond what an integer holds', async () => {
    const file = newFile({ bytes: 6_000_000_000 });
    free = 7_000_000_000;
    expect(await reserve(mine, file)).toMatchObject({ id: file.id, state: 'reserved', bytes: 6_000_000_000 });
    free = 1_000_000_000;
  });

  test('is the same when it is reserved again, and its reservation is renewed', async () => {
    const file = newFile();
    const before = await reserve(mine, file);
    const again = await reserve(mine, { ...file, key: `test/${uuidv7()}` });
    expect(again).toMatchObject({ id: file.id, key: file.key });
    expect(again.announcedAt > before.announcedAt).toBe(true);
  });

  test('cannot be taken by another person, purpose, size or hash', async () => {
    const file = newFile({ sha256: 'aa' });
    await reserve(mine, file);
    const refused = { code: 'duplicate' };
    await expect(reserve(theirs, file)).rejects.toMatchObject(refused);
    await expect(reserve(mine, { ...file, purpose: 'other' })).rejects.toMatchObject(refused);
    await expect(reserve(mine, { ...file, bytes: 6 })).rejects.toMatchObject(refused);
    await expect(reserve(mine, { ...file, sha256: 'bb' })).rejects.toMatchObject(refused);
  });

  test('leaves the disk its floor, and is not reserved without room', async () => {
    const file = newFile({ bytes: 1_000_000_000 });
    await expect(reserve(mine, file)).rejects.toMatchObject({
      code: 'busy',
      data: { thisOnly: true },
      message: messages.common.serverFull,
    });
    expect(await rowOf(file.id)).toBeUndefined();
  });

  test.each([
    ['Text/HTML', 'text/html'],
    ['blob', 'application/octet-stream'],
    ['text/html\r\nx: y', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('has the declared type %j only as one of the usual form', async (contentType, expected) => {
    expect(await reserve(mine, newFile({ contentType }))).toMatchObject({ contentType: expected });
  });

  test('has no key that leads elsewhere', async () => {
    await expect(reserve(mine, newFile({ key: '../x' }))).rejects.toThrow(TypeError);
  });

  test('is not removed before it is stored', async () => {
    const { id } = await reserve(mine, newFile());
    await run(mine, (command) => removing(command, [id]));
    expect(await rowOf(id)).toMatchObject({ state: 'reserved' });
  });
});

describe('a removed file', () => {
  test('is restored as long as its bytes are there', async () => {
    const [kept, gone] = [await storedFile(), await storedFile()];
    await run(mine, (command) => removing(command, [kept, gone]));
    expect(await rowOf(kept)).toMatchObject({ state: 'removed', removedAt: expect.any(String) });
    await server.services.db.update(storedFiles).set({ state: 'erased' }).where(eq(storedFiles.id, gone));
    expect(await run(mine, (command) => restoreFiles(command, [kept, gone]))).toEqual([kept]);
    expect(await rowOf(kept)).toMatchObject({ state: 'stored', removedAt: null });
    expect(await rowOf(gone)).toMatchObject({ state: 'erased' });
  });
});
