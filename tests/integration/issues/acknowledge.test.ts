import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueAcknowledgeMessages } from '#shared/features/issues/issue-acknowledge-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let building: TestBuilding;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  building = await createBuilding(server.services);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function as(role: 'admin' | 'manager' | 'viewer', lastName: string) {
  const person = await createPerson(server.services, {
    role,
    firstName: 'Ada',
    lastName,
    buildings: role === 'admin' ? [] : [building.id],
  });
  return createTestClient(server.url, await signInAs(server, person));
}

async function report(priority: 'high' | 'critical'): Promise<string> {
  const id = uuidv7();
  const input = { id, buildingId: building.id, title: 'Gas smell', description: '', priority };
  await (await as('admin', 'Reporter')).issues.create.mutate({ operationId: uuidv7(), ...input });
  return id;
}
const input = (id: string) => ({ operationId: uuidv7(), id });

test('a critical issue is acknowledged once, by the first of two, and not responded to by that', async () => {
  const id = await report('critical');
  const [one, other] = [await as('manager', 'First'), await as('manager', 'Second')];
  const answers = await Promise.all([one, other].map((each) => each.issues.acknowledge.mutate(input(id))));
  expect(answers.map(({ version }) => version)).toEqual([2, 2]);
  const { data } = await one.issues.get.query({ id });
  expect(data).toMatchObject({ respondedAt: null, version: 2, status: 'open' });
  expect(data.acknowledgedByName).toMatch(/^Ada (First|Second)$/);
  expect(data.updatedAt).toBe(data.acknowledgedAt);
  const { data: history } = await one.issues.history.query({ id });
  expect(JSON.stringify(history)).toContain('"acknowledgedByName":[null,"Ada ');
});

test.each([
  ['a high one', 'high', undefined],
  ['a resolved one', 'critical', 'resolved'],
] as const)('%s is not to be acknowledged', async (_what, priority, status) => {
  const id = await report(priority);
  const admin = await as('admin', 'Admin');
  if (status !== undefined) {
    const changes = { status: { from: 'open', to: status } } as const;
    await admin.issues.update.mutate({ ...input(id), changes });
  }
  expect(await refusalOf(admin.issues.acknowledge.mutate(input(id)))).toMatchObject({
    code: 'invalid',
    message: issueAcknowledgeMessages.notAcknowledgeable,
  });
});

test('only those acknowledge who may manage issues, and see this one', async () => {
  const id = await report('critical');
  const viewer = await as('viewer', 'Viewer');
  expect(await refusalOf(viewer.issues.acknowledge.mutate(input(id)))).toMatchObject({ code: 'forbidden' });
  const elsewhere = await createPerson(server.services, {
    role: 'manager',
    buildings: [(await createBuilding(server.services)).id],
  });
  const client = createTestClient(server.url, await signInAs(server, elsewhere));
  expect(await refusalOf(client.issues.acknowledge.mutate(input(id)))).toMatchObject({ code: 'not_found' });
});
