import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Issue } from '#shared/features/issues/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createModelClient, type ModelClient } from '#tests/support/live/model-client.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let here: TestBuilding;
let there: TestBuilding;
let asAdmin: TestClient;
const open: ModelClient[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  here = await createBuilding(server.services);
  there = await createBuilding(server.services);
  const admin = await createPerson(server.services, { role: 'admin' });
  asAdmin = createTestClient(server.url, await signInAs(server, admin));
});
afterEach(() => {
  for (const client of open.splice(0)) client.stop();
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function windowOf(role: 'manager' | 'viewer', buildings: TestBuilding[], parts = {}) {
  const person = await createPerson(server.services, { role, buildings: buildings.map(({ id }) => id) });
  const client = await createModelClient({ url: server.url, cookie: await signInAs(server, person), parts });
  open.push(client);
  client.watch(client.queries.list, {});
  client.watch(client.queries.counts, {});
  await expect.poll(() => client.shown(client.queries.counts, {})).toBeDefined();
  await expect.poll(() => client.shown(client.queries.list, {})).toBeDefined();
  await expect.poll(() => client.live.status.snapshot().state).toBe('live');
  return { ...client, person };
}

async function report(building: TestBuilding, title: string): Promise<string> {
  const id = uuidv7();
  await asAdmin.issues.create.mutate({
    operationId: uuidv7(),
    id,
    buildingId: building.id,
    title,
    description: '',
    priority: 'low',
  });
  return id;
}

const titles = (client: ModelClient) =>
  client.shown(client.queries.list, {})?.rows.map(({ title }) => title) ?? [];

async function sameAsServer(client: ModelClient): Promise<void> {
  await vi.waitFor(async () => {
    const [list, counts] = await Promise.all([
      client.api.issues.list.query({ filter: {}, limit: 200 }),
      client.api.issues.counts.query({ filter: {} }),
    ]);
    expect(client.shown(client.queries.list, {})?.rows).toEqual(list.data.rows);
    expect(client.shown(client.queries.counts, {})).toEqual(counts.data);
  }, PATIENCE);
}

test('live/J3 a change elsewhere is in the list and in the count', async () => {
  const viewer = await windowOf('viewer', [here]);
  await report(here, 'The lift hums');
  await report(there, 'Not yours');
  await expect.poll(() => titles(viewer)).toContain('The lift hums');
  expect(titles(viewer)).not.toContain('Not yours');
  await sameAsServer(viewer);
});

test('live/T2 what happened during a cut is there after it, once', async () => {
  const viewer = await windowOf('viewer', [here]);
  viewer.offline();
  await expect.poll(() => viewer.live.status.snapshot().state).toBe('offline');
  const before = viewer.live.cache.cursor.g;
  await report(here, 'While away, one');
  await report(here, 'While away, two');
  expect(viewer.live.cache.cursor.g).toBe(before);
  viewer.requests.length = 0;
  viewer.online();
  await expect.poll(() => titles(viewer)).toContain('While away, two');
  expect(viewer.requests).toEqual([]);
  expect(titles(viewer)).toContain('While away, one');
  await sameAsServer(viewer);
});

test('live/T3 a position that means nothing is answered with a reset, and everything is fetched again', async () => {
  const viewer = await windowOf('viewer', [here], { resetPaceMs: 0 });
  const { epoch } = viewer.live.cache.cursor;
  viewer.live.cache.reset({ epoch: 'never', g: 3 });
  await report(here, 'Told in a snapshot');
  viewer.cut();
  await expect.poll(() => titles(viewer)).toContain('Told in a snapshot');
  expect(viewer.live.cache.cursor.epoch).toBe(epoch);
  await report(here, 'Told by the stream again');
  await expect.poll(() => titles(viewer)).toContain('Told by the stream again');
  await sameAsServer(viewer);
});

test('live/T4 a building that is taken away is gone from every list, and comes back', async () => {
  const viewer = await windowOf('viewer', [here, there]);
  await report(there, 'Soon out of sight');
  await expect.poll(() => titles(viewer)).toContain('Soon out of sight');
  const grant = { userId: viewer.person.id, buildingId: there.id };
  await asAdmin.users.revoke.mutate({ operationId: uuidv7(), ...grant });
  await expect.poll(() => titles(viewer)).not.toContain('Soon out of sight');
  expect(viewer.accessChanges.at(-1)).toMatchObject({ lost: [there.id], gained: [] });
  await sameAsServer(viewer);
  await asAdmin.users.grant.mutate({ operationId: uuidv7(), ...grant });
  await expect.poll(() => titles(viewer)).toContain('Soon out of sight');
  await sameAsServer(viewer);
});

test('live/T6 a session that has ended ends the stream, for good', async () => {
  const viewer = await windowOf('viewer', [here]);
  await viewer.api.session.signOut.mutate({});
  await expect.poll(() => viewer.ended).toEqual([4401]);
  expect(viewer.live.stream.running).toBe(false);
  expect(viewer.shown(viewer.queries.list, {})).toBeUndefined();
});

test('live/J5 an own write shows before it is answered, and a lost answer does not double it', async () => {
  const id = await report(here, 'To be resolved');
  const manager = await windowOf('manager', [here]);
  const issueOf = () => manager.shown(manager.queries.list, {})?.rows.find((row) => row.id === id);
  const base: Issue | undefined = issueOf();
  if (!base) throw new Error('the issue is in the list');
  let sent = 0;
  const saved = manager.live.mutations.run({
    input: { id, changes: { status: { from: 'open' as const, to: 'resolved' as const } } },
    overlay: { entity: 'issue', id, base, patch: { status: 'resolved' } },
    send: async (input) => {
      sent += 1;
      const answer = await manager.api.issues.update.mutate(input);
      if (sent === 1) throw new TypeError('the answer was lost');
      return answer;
    },
  });
  expect(issueOf()?.status).toBe('resolved');
  expect(manager.live.overlays.isPending('issue', id)).toBe(true);
  expect(await saved).toMatchObject({ id, version: base.version + 1 });
  expect(sent).toBe(2);
  await expect.poll(() => manager.live.overlays.snapshot().size).toBe(0);
  expect(issueOf()).toMatchObject({ status: 'resolved', version: base.version + 1 });
  await sameAsServer(manager);
});
