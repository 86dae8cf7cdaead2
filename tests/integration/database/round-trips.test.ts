import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import {
  type CountingProxy,
  partOf,
  startCountingProxy,
  type Traffic,
} from '#tests/support/network/counting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let proxy: CountingProxy;
let manager: TestClient;
let building: TestBuilding;
let point: string;
let issueId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const address = new URL(database.appUrl);
  proxy = await startCountingProxy(Number(address.port), partOf(['lintel']));
  address.port = String(proxy.port);
  server = await startTestServer({ appUrl: address.href });
  const { services } = server;
  building = await createBuilding(services);
  const person = await createPerson(services, { role: 'manager', buildings: [building.id] });
  manager = createTestClient(server.url, await signInAs(server, person));
  ({ id: point } = await createAsset(services, { buildingId: building.id, type: 'call_point' }));
  issueId = await report();
});
afterAll(async () => {
  await server?.stop();
  await proxy?.close();
  await database?.drop();
});

async function report(): Promise<string> {
  const { id } = await manager.issues.create.mutate({
    operationId: uuidv7(),
    id: uuidv7(),
    buildingId: building.id,
    title: 'Lamp is out',
    description: 'In the corridor.',
    priority: 'medium',
  });
  return id;
}

let isOpen = true;
async function move(): Promise<unknown> {
  const [from, to] = isOpen ? (['open', 'in_progress'] as const) : (['in_progress', 'open'] as const);
  isOpen = !isOpen;
  return manager.issues.update.mutate({
    operationId: uuidv7(),
    id: issueId,
    changes: { status: { from, to } },
  });
}

/** The allowed cost of each call between server and Postgres. An increase needs a reason. */
const BUDGETS: readonly [call: string, make: () => Promise<unknown>, budget: Traffic][] = [
  [
    'a comment',
    () =>
      manager.issues.comment.mutate({
        operationId: uuidv7(),
        id: uuidv7(),
        issueId,
        body: 'The part is ordered.',
      }),
    { roundTrips: 3, statements: 7 },
  ],
  ['a move of a card', move, { roundTrips: 3, statements: 7 }],
  ['a report of an issue', report, { roundTrips: 4, statements: 11 }],
  [
    'a fire alarm test',
    () =>
      manager.checks.record.mutate(
        visitOf('fire_alarm_test', {
          buildingId: building.id,
          now: new Date().toISOString(),
          entries: [lineOf('fire_alarm_test', 'pass', point)],
        }),
      ),
    // The fourth round trip looks for tasks that the test satisfies, and for the next due day on the receipt.
    { roundTrips: 4, statements: 17 },
  ],
  [
    'a page of issues',
    () => manager.issues.list.query({ filter: { statuses: ['open'] }, limit: 50 }),
    { roundTrips: 2, statements: 4 },
  ],
  ['the counts', () => manager.issues.counts.query({ filter: {} }), { roundTrips: 1, statements: 1 }],
  ['one’s own account', () => manager.session.me.query(), { roundTrips: 1, statements: 1 }],
  [
    'the year of a log',
    () =>
      manager.checks.logYear.query({
        kind: 'fire_alarm_test',
        year: new Date().getUTCFullYear(),
        buildingId: building.id,
      }),
    { roundTrips: 4, statements: 11 },
  ],
];

/** Several times the number of connections in the pool, because each connection prepares each statement once. */
const WARM_UP = 60;
const CALLS_MIN = 6;
/** Background work of the server, and a busy machine, make some calls cost more. */
const CALLS_MAX = 60;

test.each(BUDGETS)('%s keeps its budget of round trips and statements', async (_call, make, budget) => {
  for (let n = 0; n < WARM_UP; n += 1) await make();
  let least: Traffic = { roundTrips: Number.POSITIVE_INFINITY, statements: Number.POSITIVE_INFINITY };
  const isWithin = () => least.roundTrips <= budget.roundTrips && least.statements <= budget.statements;
  for (let n = 0; n < CALLS_MIN || (n < CALLS_MAX && !isWithin()); n += 1) {
    proxy.take();
    await make();
    // The commit of a read is not awaited by its caller.
    await expect.poll(() => proxy.unanswered()).toBe(0);
    const { roundTrips, statements } = proxy.take().calls;
    least = {
      roundTrips: Math.min(least.roundTrips, roundTrips),
      statements: Math.min(least.statements, statements),
    };
  }
  expect(least).toEqual(budget);
});
