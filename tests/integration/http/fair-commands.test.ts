import { sql } from 'drizzle-orm';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { LOCK_WAITS } from '#tests/support/postgres/lock-waits.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// The saves of one person use at most two connections to the database, so other people's saves are not delayed. To hold up
// saves, a test locks the counters of a building, for which reports of its issues wait.

const REPORTS = 30;
const EACH = 2;

let database: TestDatabase;
let server: TestServer;
let owner: Sql;
let held: string;
let free: string;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  server = await startTestServer(database);
  [held, free] = [(await createBuilding(server.services)).id, (await createBuilding(server.services)).id];
  const first = await someone();
  for (const buildingId of [held, free]) await first.report(buildingId);
});
afterAll(async () => {
  await owner.end();
  await server.stop();
  await database.drop();
});

async function someone() {
  const person = await createPerson(server.services, { role: 'admin' });
  const client = createTestClient(server.url, await signInAs(server, person));
  const report = (buildingId: string) =>
    client.issues.create.mutate({ operationId: uuidv7(), id: uuidv7(), buildingId, title: 'Lamp is out' });
  return { ...person, report };
}

/** Holds reports of a building up, until the work is over. */
async function whileHeld(work: () => Promise<unknown>): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`select from counters where building_id = ${held} for update`;
    await work();
  });
}

const waits = async () => (await server.services.db.execute(sql.raw(LOCK_WAITS))).length;
const whenWaiting = () =>
  vi.waitFor(async () => {
    expect([await waits(), server.services.commands.waiting()]).toEqual([EACH, REPORTS - EACH]);
  }, PATIENCE);

test('two commands of a person are under way at once, and others save meanwhile', async () => {
  const [one, other] = [await someone(), await someone()];
  let reports: Promise<unknown>[] = [];
  await whileHeld(async () => {
    reports = Array.from({ length: REPORTS }, () => one.report(held));
    await whenWaiting();
    await other.report(free);
    expect(await waits()).toBe(EACH);
  });
  await Promise.all(reports);
});

test('a command that waited is refused if the session of its person has ended', async () => {
  const one = await someone();
  let reports: Promise<unknown>[] = [];
  await whileHeld(async () => {
    reports = Array.from({ length: REPORTS }, () => refusalOf(one.report(held)).catch(() => 'saved'));
    await whenWaiting();
    await server.services.sessions.endAllForUser(one.id);
  });
  const outcomes = await Promise.all(reports);
  expect(outcomes.filter((outcome) => outcome === 'saved').length).toBeLessThanOrEqual(EACH);
  expect(outcomes).toContainEqual(expect.objectContaining({ code: 'unauthenticated' }));
});

test('a command that waited goes on if its person was renamed meanwhile, and is refused if their role has changed', async () => {
  const { db } = server.services;
  const [renamed, demoted] = [await someone(), await someone()];
  let reports: Promise<unknown>[] = [];
  await whileHeld(async () => {
    reports = Array.from({ length: REPORTS }, () => renamed.report(held));
    await whenWaiting();
    await db.execute(
      sql`update profiles set first_name = 'Another', version = version + 1 where id = ${renamed.id}`,
    );
  });
  await Promise.all(reports);
  await whileHeld(async () => {
    reports = Array.from({ length: REPORTS }, () => refusalOf(demoted.report(held)).catch(() => 'saved'));
    await whenWaiting();
    await db.execute(sql`update user_roles set role = 'viewer' where user_id = ${demoted.id}`);
    await db.execute(sql`update profiles set version = version + 1 where id = ${demoted.id}`);
  });
  const outcomes = await Promise.all(reports);
  expect(outcomes.filter((outcome) => outcome === 'saved').length).toBeLessThanOrEqual(EACH);
  expect(outcomes).toContainEqual(expect.objectContaining({ code: 'busy' }));
});
