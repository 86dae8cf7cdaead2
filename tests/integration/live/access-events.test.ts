import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { createLiveSetting, type LiveSetting, tell } from '#tests/support/live/live-setting.ts';
import { createModelClient } from '#tests/support/live/model-client.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createBuilding, type TestBuilding } from '#tests/support/rows/factories.ts';
import { foldPeople } from '#web/features/users/fold-people.ts';
import { defineLiveQuery } from '#web/live/types.ts';

const MANY = 120;

let setting: LiveSetting;
let many: TestBuilding[];
beforeAll(async () => {
  setting = await createLiveSetting();
  const made = Array.from({ length: MANY }, (_, n) =>
    createBuilding(setting.server.services, { clientId: setting.here.clientId, name: `House ${n}` }),
  );
  many = await Promise.all(made);
});
afterEach(() => setting.closeStreams());
afterAll(() => setting.end());

const operation = () => ({ operationId: uuidv7() });
const othersIn = (text: string, but: readonly TestBuilding[]) =>
  many.filter((building) => !but.includes(building) && text.includes(building.id)).length;
const changesOf = (stream: { frames: { access?: { version: number } }[] }) =>
  stream.frames.flatMap(({ access }) => access ?? []);
const eventsSince = (g: number) => setting.owner.sql<
  { op: string; entity: string; body: string; canon: string }[]
>`
  select e.op, e.entity, p.body, e.canon from events e join event_payloads p on p.g = e.g where e.g > ${g} order by e.g`;
/** Creates a building with an issue, so that removing it archives it instead of deleting it. */
async function filled(): Promise<TestBuilding> {
  const building = await createBuilding(setting.server.services, { clientId: setting.here.clientId });
  await setting.report(building);
  return building;
}

test('live/R3 a change of one building is told as that one, however many the person sees', async () => {
  const [taken] = many;
  if (taken === undefined) throw new Error('no building');
  const viewer = await setting.someone('viewer', many);
  const stream = await setting.followed(viewer.cookie);
  const overview = await setting.followed(setting.admin.cookie);
  const input = { userId: viewer.id, buildingId: taken.id };
  await setting.admin.client.users.revoke.mutate({ ...operation(), ...input });
  await expect.poll(() => changesOf(stream)).toMatchObject([{ version: 2, from: 1, lost: [taken.id] }]);
  await expect.poll(() => overview.events.map(({ entity }) => entity)).toEqual(['person']);
  const stored = (await eventsSince(overview.g() - 2)).filter(({ entity }) => /person|access/.test(entity));
  expect(stored.map(({ op }) => op)).toEqual(['put', 'access']);
  for (const text of [
    JSON.stringify(stored),
    JSON.stringify(stream.frames),
    JSON.stringify(overview.frames),
  ]) {
    expect(text).toContain(taken.id);
    expect(othersIn(text, [taken])).toBe(0);
  }
});

test('live/R3 a building that goes to the archive is one event for all who lose it, and comes back to them', async () => {
  const building = await filled();
  const people = await Promise.all([
    setting.someone('viewer', [...many, building]),
    setting.someone('manager', [building, setting.there]),
    setting.someone('operative', [building]),
    setting.someone('viewer', many),
  ]);
  const streams = await Promise.all(people.map(({ cookie }) => setting.followed(cookie)));
  const from = streams[0]?.g() ?? 0;
  await setting.admin.client.locations.removeBuilding.mutate({ ...operation(), id: building.id });
  for (const stream of streams.slice(0, 3)) {
    await expect
      .poll(() => changesOf(stream))
      .toMatchObject([{ version: 2, from: 1, lost: [building.id], gained: [] }]);
  }
  const told = await eventsSince(from);
  expect(told.filter(({ entity }) => entity === 'access')).toHaveLength(1);
  expect(told.filter(({ entity }) => entity === 'person')).toEqual([]);
  expect(othersIn(JSON.stringify(told), [])).toBe(0);
  await setting.pour(building, 1);
  await setting.admin.client.locations.restoreBuilding.mutate({ ...operation(), id: building.id });
  for (const stream of streams.slice(0, 3)) {
    await expect
      .poll(() => changesOf(stream)[1])
      .toMatchObject({ version: 3, from: 2, gained: [building.id] });
    expect(stream.events.filter(({ command }) => command === 'test.pour')).toEqual([]);
  }
  expect(streams.slice(3).flatMap(changesOf)).toEqual([]);
});

test('live/T2 what went to the archive and was given in the gap is told as the net change', async () => {
  const building = await filled();
  const viewer = await setting.someone('viewer', [setting.here, building]);
  await setting.someone('viewer', [building]);
  const before = await setting.followed(viewer.cookie);
  const position = before.position() ?? '';
  await setting.closeStreams();
  const { users, locations } = setting.admin.client;
  const given = { userId: viewer.id, buildingId: setting.there.id };
  await locations.removeBuilding.mutate({ ...operation(), id: building.id });
  await users.grant.mutate({ ...operation(), ...given });
  const expected = { version: 3, from: 1, lost: [building.id], gained: [setting.there.id] };
  const stream = setting.follow(viewer.cookie, { lastEventId: position });
  await expect.poll(() => changesOf(stream)).toMatchObject([expected]);
  await setting.closeStreams();
  await locations.restoreBuilding.mutate({ ...operation(), id: building.id });
  const again = setting.follow(viewer.cookie, { lastEventId: position });
  await expect
    .poll(() => changesOf(again))
    .toMatchObject([{ version: 4, from: 1, lost: [], gained: [setting.there.id] }]);
});

test('live/R3 where an event does not say what is seen, nothing is sent until the database has', async () => {
  const { here, there, owner } = setting;
  const viewer = await setting.someone('viewer', [here, there]);
  const stream = await setting.followed(viewer.cookie);
  await owner.sql.begin(async (tx) => {
    await tx`delete from user_location_access where user_id = ${viewer.id} and location_id = ${here.id}`;
    await tx`update profiles set version = version + 1 where id = ${viewer.id}`;
  });
  await tell(setting, ({ recordAccess }) =>
    recordAccess({ people: { [viewer.id]: 2 }, lost: [], gained: [], lists: 'left_out' }),
  );
  await setting.pour(here, 1);
  await setting.pour(there, 1);
  await expect.poll(() => stream.events.length).toBe(1);
  expect(changesOf(stream)).toMatchObject([{ version: 2, lost: [here.id], gained: [] }]);
  expect(stream.events).toMatchObject([{ row: { n: 1 } }]);
  const [poured] = await owner.sql<{ g: string }[]>`
    select g from events where command = 'test.pour' and ${there.id}::uuid = any(buildings) order by g desc limit 1`;
  expect(stream.events[0]?.g).toBe(Number(poured?.g));
});

test('live/J4 the list of all people follows what is given, taken, archived and restored', async () => {
  const { server, admin, here, there } = setting;
  const building = await filled();
  const person = await setting.someone('viewer', [here, building]);
  const overview = await createModelClient({ url: server.url, cookie: admin.cookie });
  const list = defineLiveQuery({
    name: 'users.list',
    entities: ['person', 'building'],
    fetch: (_input: null) => overview.api.users.list.query(undefined),
    apply: foldPeople,
    lose: (people) => people,
  });
  overview.live.cache.register(list);
  const stop = overview.watch(list, null);
  const asServer = () =>
    vi.waitFor(async () => {
      const { data } = await overview.api.users.list.query(undefined);
      expect(overview.shown(list, null)).toEqual(data);
    }, PATIENCE);
  const seen = () => overview.shown(list, null)?.find(({ id }) => id === person.id)?.buildings;
  await asServer();
  overview.requests.length = 0;
  await admin.client.users.grant.mutate({ ...operation(), userId: person.id, buildingId: there.id });
  await expect.poll(seen).toEqual([here.id, there.id, building.id].sort());
  const some = many.slice(0, 3).map(({ id }) => id);
  const given = { userId: person.id, buildingIds: some, granted: true };
  await admin.client.users.setAccess.mutate({ ...operation(), ...given });
  await admin.client.users.setAccess.mutate({
    ...operation(),
    ...given,
    granted: false,
    buildingIds: some.slice(1),
  });
  await expect.poll(seen).toHaveLength(4);
  await admin.client.locations.removeBuilding.mutate({ ...operation(), id: building.id });
  await expect.poll(seen).not.toContain(building.id);
  await admin.client.users.setRole.mutate({ ...operation(), userId: person.id, role: 'manager' });
  await expect
    .poll(() => overview.shown(list, null)?.find(({ id }) => id === person.id)?.role)
    .toBe('manager');
  // So far nothing was fetched again, because each change directly followed the version before it.
  expect(overview.requests).toEqual([]);
  await asServer();
  await admin.client.locations.restoreBuilding.mutate({ ...operation(), id: building.id });
  await expect.poll(seen).toContain(building.id);
  await asServer();
  stop();
  overview.stop();
});
