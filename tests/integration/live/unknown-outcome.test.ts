import type { ISql } from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, type DatabaseClient } from '#db/client.ts';
import { uuidv7 } from '#shared/ids.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

/** Key of the advisory lock for which commits wait. */
const COMMIT_LOCK = 815_146;

let database: TestDatabase;
let proxy: TcpProxy;
let server: TestServer;
let owner: DatabaseClient;
let building: TestBuilding;
let client: TestClient;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = connect(database.ownerUrl, { max: 3 });
  const address = new URL(database.appUrl);
  const port = Number(address.port);
  proxy = await startTcpProxy(() => port);
  address.port = String(proxy.port);
  server = await startTestServer({ appUrl: address.href });
  building = await createBuilding(server.services);
  const manager = await createPerson(server.services, { role: 'manager', buildings: [building.id] });
  client = createTestClient(server.url, await signInAs(server, manager));
});
afterEach(async () => {
  await server.stop();
  await proxy.close();
  await owner.close();
  await database.drop();
});

const newIssue = () => ({
  operationId: uuidv7(),
  id: uuidv7(),
  buildingId: building.id,
  title: 'A tap drips',
  description: '',
  priority: 'low' as const,
});
async function issues(): Promise<number> {
  const [row] = await owner.sql<{ n: number }[]>`select count(*)::int as n from building_issues`;
  return row?.n ?? 0;
}
/** The number of the server's connections that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await owner.sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.n ?? 0;
}

/** Holds a lock while a call waits for it, breaks the server's connections, and releases it. */
async function cutWhileLocked<Answer>(lock: (sql: ISql) => Promise<unknown>, call: () => Promise<Answer>) {
  let refusal = Promise.resolve<unknown>(undefined);
  await owner.sql.begin(async (tx) => {
    await lock(tx);
    refusal = refusalOf(call());
    await expect.poll(waiting).toBe(1);
    proxy.cut();
    await refusal;
  });
  await expect.poll(waiting).toBe(0);
  return refusal;
}

test('live/S5 whether a commit succeeded is not known when its connection breaks, and a second copy tells', async () => {
  await owner.sql.unsafe(`
    create function wait_for_test() returns trigger language plpgsql set lock_timeout = 0 as $$
    begin perform pg_advisory_xact_lock_shared(${COMMIT_LOCK}); return null; end $$;
    create constraint trigger waits after insert on building_issues deferrable initially deferred
      for each row execute function wait_for_test();`);
  const input = newIssue();
  const refusal = await cutWhileLocked(
    (sql) => sql`select pg_advisory_xact_lock(${COMMIT_LOCK})`,
    () => client.issues.create.mutate(input),
  );
  expect(refusal).toEqual({ code: 'busy', outcome: 'unknown' });
  await expect.poll(issues).toBe(1);
  expect(await client.issues.create.mutate(input)).toMatchObject({ id: input.id, version: 1 });
  expect(await issues()).toBe(1);
});

test('live/S5 nothing was saved when the connection breaks before the commit', async () => {
  const input = newIssue();
  const refusal = await cutWhileLocked(
    (sql) => sql`lock table building_issues in exclusive mode`,
    () => client.issues.create.mutate(input),
  );
  expect(refusal).toEqual({ code: 'busy' });
  expect(await issues()).toBe(0);
  await expect.poll(() => client.issues.create.mutate(input).catch(() => undefined)).toBeDefined();
  expect(await issues()).toBe(1);
});
