import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { checkFile, runFile } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// If the database is on the same disk, the disk must never become full: Postgres would stop, for everyone.

const MIB = 1024 * 1024;
const FLOOR = 256 * MIB;
const NO_ROOM = { code: 'busy', message: messages.common.serverFull, thisOnly: true };

let database: TestDatabase;
let server: TestServer;
let sql: Sql;
let freeBytes: () => number;
let buildingId: string;
let admin: TestClient;
let adminCookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  server = await startTestServer(database, {
    diskSpace: { floor: FLOOR, freeBytes: async () => freeBytes() },
  });
  freeBytes = () => 10 * FLOOR;
  buildingId = (await createBuilding(server.services, { name: 'Harbour House' })).id;
  adminCookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  admin = createTestClient(server.url, adminCookie);
});
afterAll(async () => {
  await sql.end();
  await server.stop();
  await database.drop();
});
beforeEach(() => {
  freeBytes = () => 10 * FLOOR;
});

const report = (title = 'Leak') =>
  admin.issues.create.mutate({ operationId: uuidv7(), id: uuidv7(), buildingId, title });

function recordCheck() {
  const now = new Date().toISOString();
  return admin.checks.record.mutate({
    kind: 'fire_alarm_test',
    operationId: uuidv7(),
    visitId: uuidv7(),
    buildingId,
    visitDate: dayOf(now),
    operativeName: 'Tester',
    performedAt: now,
    deviceNow: now,
    entries: [{ id: uuidv7(), locationTested: 'Point 1', passed: true, notes: '' }],
  });
}

const ready = async () => (await fetch(`${server.url}/readyz`)).status;

describe('a disk without room for the log of its database', () => {
  test('takes issues no more, and records of checks and changes of access still', async () => {
    const { id: userId } = await createPerson(server.services, { role: 'viewer', buildings: [buildingId] });
    freeBytes = () => FLOOR / 2 + 1;
    await report();
    freeBytes = () => FLOOR / 2;
    expect(await refusalOf(report())).toEqual(NO_ROOM);
    await recordCheck();
    await admin.users.revoke.mutate({ operationId: uuidv7(), userId, buildingId });
    expect(await ready()).toBe(200);
  });

  test('takes nothing at last, says so, and can be read', async () => {
    freeBytes = () => FLOOR / 4;
    expect(await refusalOf(recordCheck())).toEqual(NO_ROOM);
    expect(await ready()).toBe(503);
    await admin.issues.list.query({ filter: {} });
    freeBytes = () => FLOOR;
    await recordCheck();
    expect(await ready()).toBe(200);
  });

  test('takes no import, nor the rest of one, and keeps nothing of it', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `Harbour House,Panel ${n},About,`);
    const text = ['Building Name,Name,Description,Type', ...rows].join('\n');
    const assets = () => sql`select count(*)::int n from assets`.then(([row]) => row?.['n']);
    const refused = { error: { code: 'busy', message: messages.common.serverFull } };
    expect((await checkFile(server.url, adminCookie, 'assets', text)).faulty).toBe(0);
    freeBytes = () => FLOOR;
    expect((await runFile(server.url, adminCookie, 'assets', text)).at(-1)).toEqual(refused);
    let looks = 0;
    freeBytes = () => {
      looks += 1;
      return looks > 3 ? FLOOR : 2 * FLOOR;
    };
    expect((await runFile(server.url, adminCookie, 'assets', text)).at(-1)).toEqual(refused);
    expect(looks).toBe(4);
    expect(await assets()).toBe(0);
    freeBytes = () => 2 * FLOOR;
    expect((await runFile(server.url, adminCookie, 'assets', text)).at(-1)).toEqual({
      result: { count: 300 },
    });
    expect(await assets()).toBe(300);
  });

  test('has a log of the database that is smaller than what files leave free', async () => {
    const [row] = await sql`select setting::int megabytes from pg_settings where name = 'max_wal_size'`;
    expect(row?.['megabytes'] * MIB).toBeLessThanOrEqual(FLOOR / 2);
  });
});
