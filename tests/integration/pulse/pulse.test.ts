import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import { outbox } from '#db/schema/live.ts';
import { buildingPulses, pulseChanges, pulseState } from '#db/schema/pulse.ts';
import { addDays, DAY_MS } from '#shared/dates.ts';
import { buildingPulseSchema, PULSE_WEEKS } from '#shared/features/pulse/pulse.ts';
import { uuidv7 } from '#shared/ids.ts';
import { liveEntities } from '#shared/live/live-entities.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { change, createWorld, expectTrue, runJobs } from '#tests/support/pulse/pulse-world.ts';
import { createBuilding } from '#tests/support/rows/factories.ts';
import { tasksOf } from '#tests/support/screens/tasks-screen.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// The figures of buildings. `tests/slow` makes more of the same random changes.

const CHANGES = 150;
const EACH = 25;
// The tests run the timed jobs themselves, so that nothing runs while a test moves the clock.
const options = { timedJobs: { lookEveryMs: DAY_MS } };

let setting: LiveSetting;
let second: TestServer;
const clock = testClock('2026-11-18T10:00:00.000Z');

beforeAll(async () => {
  setting = await createLiveSetting({ clock, ...options });
  second = await startTestServer(setting.database, { clock, ...options });
});
afterAll(async () => {
  await second.stop();
  await setting.end();
});

const operation = () => ({ operationId: uuidv7() });
const pulseOf = async (buildingId: string) =>
  (await setting.admin.client.pulse.get.query({ buildingId })).data;

test('figures are those of the rows, whatever is changed and however much time passes', async () => {
  // The sums are over all buildings, so the buildings of the setting belong to this world, too.
  const world = await createWorld(setting.server, clock, 'the pulse');
  for (let n = 0; n < CHANGES; n += EACH) {
    await change(world, EACH);
    await expectTrue(world);
  }
  expect(await setting.server.services.db.$count(pulseChanges)).toBe(0);
});

test('two processes that write to one building at once lose nothing', async () => {
  const site = await createBuilding(setting.server.services);
  const others = (await setting.someone('manager', [site])).cookie;
  const { createTestClient } = await import('#tests/support/server/client.ts');
  const clients = [setting.server, second].map(({ url }) => createTestClient(url, others));
  const ids = Array.from({ length: 60 }, () => uuidv7());
  const client = (n: number) => clients[n % 2] ?? setting.admin.client;
  await Promise.all(
    ids.map(async (id, n) => {
      await client(n).issues.create.mutate({
        ...operation(),
        id,
        buildingId: site.id,
        title: 'A tap drips',
        priority: 'low',
      });
      const priority = { from: 'low', to: 'high' } as const;
      await client(n + 1).issues.update.mutate({ ...operation(), id, changes: { priority } });
      if (n % 3 !== 0) return;
      const status = { from: 'open', to: 'resolved' } as const;
      await client(n).issues.update.mutate({ ...operation(), id, changes: { status } });
    }),
  );
  const pulse = await pulseOf(site.id);
  expect(pulse.openIssues).toEqual({ low: 0, medium: 0, high: 40, critical: 0 });
  expect(pulse.weeks.opened.at(-1)).toBe(60);
  expect(pulse.weeks.closed.at(-1)).toBe(20);
});

test('figures of issues reach no person who may not see issues: not in answers, events and replays', async () => {
  const site = await createBuilding(setting.server.services);
  const manager = await setting.someone('manager', [site]);
  const operative = await setting.someone('operative', [site]);
  const [theirs, managers] = [
    await setting.followed(operative.cookie),
    await setting.followed(manager.cookie),
  ];
  const lastEventId = theirs.position() ?? '';
  await setting.report(site);
  const pulses = (stream: typeof theirs) => stream.events.filter(({ entity }) => entity === 'buildingPulse');
  await expect.poll(() => pulses(managers).length).toBeGreaterThan(0);
  expect(pulses(managers).at(-1)).toMatchObject({ row: { openIssues: { low: 1 } } });
  await expect.poll(() => pulses(theirs).length).toBe(pulses(managers).length);

  const later = await setting.followed(operative.cookie, { lastEventId });
  await expect.poll(() => pulses(later).length).toBe(pulses(managers).length);
  const { pulse } = operative.client;
  const shown = [
    ...[...pulses(theirs), ...pulses(later)].map((event) => ('row' in event ? event.row : undefined)),
    (await pulse.get.query({ buildingId: site.id })).data,
    ...(await pulse.list.query({})).data.rows,
    (await pulse.summary.query()).data,
  ];
  for (const figures of shown) {
    expect(figures).toMatchObject({
      openIssues: { low: 0, medium: 0, high: 0, critical: 0 },
      overdueIssues: 0,
      weeks: { opened: Array(PULSE_WEEKS).fill(0), closed: Array(PULSE_WEEKS).fill(0) },
    });
  }
});

test('buildings of the same figures are listed by name, from a cursor of the version before, too', async () => {
  const { services } = setting.server;
  const sites = await Promise.all(
    ['Light 10', 'light 2', 'Élan'].map((name) => createBuilding(services, { name })),
  );
  const { client } = await setting.someone('viewer', sites);
  const names: string[] = [];
  for (const withName of [true, false]) {
    const first = (await client.pulse.list.query({ limit: 1 })).data;
    const { name = '', ...rest } = first.nextCursor ?? expect.fail('there is a second page');
    const cursor = withName ? { ...rest, name } : rest;
    const second = (await client.pulse.list.query({ limit: 2, cursor })).data;
    names.push(...[...first.rows, ...second.rows].map(({ buildingName }) => buildingName));
    expect(second.nextCursor).toBeNull();
  }
  expect(names).toEqual(['Élan', 'light 2', 'Light 10', 'Élan', 'light 2', 'Light 10']);
});

test('a selection of tasks is told by one event of the pulse; a comment by none', async () => {
  const site = await createBuilding(setting.server.services);
  const { client, cookie } = await setting.someone('manager', [site]);
  const tasks = tasksOf(client, site.id, clock);
  const all = await Promise.all(Array.from({ length: 6 }, () => tasks.add('weekly test')));
  const issueId = await setting.report(site);
  const stream = await setting.followed(cookie);
  const told = () =>
    stream.frames.flatMap(({ events }) => events).filter(({ entity }) => entity === 'buildingPulse');
  const seen = all.map(({ id, occurrence }) => ({ id, occurrence }));
  await client.issues.comment.mutate({ ...operation(), id: uuidv7(), issueId, body: 'Seen' });
  await client.tasks.reschedule.mutate({ ...operation(), tasks: seen, due: addDays(tasks.today(), 30) });
  await expect.poll(() => told().length).toBe(1);
  const [event] = told();
  const pulse = await pulseOf(site.id);
  expect(buildingPulseSchema.parse(pulse)).toEqual(pulse);
  expect(event).toMatchObject({ op: 'put', row: pulse });
  expect(event).toHaveProperty('changes.tasks.0.dueThisWeek', 6);
  expect(pulse.tasks).toEqual({ compliant: 0, nonCompliant: 6, overdue: 0, dueThisWeek: 0 });
});

test('the database addresses the events as the registry of live entities says', async () => {
  const { db } = setting.server.services;
  const site = await createBuilding(setting.server.services);
  // In a transaction that is never committed, so that the event is not sequenced.
  await expect(
    db.transaction(async (tx) => {
      await tx.insert(buildingIssues).values({
        id: uuidv7(),
        referenceNumber: 'PULSE-1',
        buildingId: site.id,
        title: 'A tap drips',
        createdAt: clock.now().toISOString(),
        updatedAt: clock.now().toISOString(),
      });
      await tx.execute(sql`set constraints pulse_changes_folded immediate`);
      const [event] = await tx.select().from(outbox).where(eq(outbox.entityId, site.id));
      const row = buildingPulseSchema.parse(JSON.parse(event?.payload ?? '{}').row);
      const { audience, stream } = liveEntities.buildingPulse;
      expect(event).toMatchObject({ ...audience(row), stream: stream(row), version: row.version });
      throw new Error('enough');
    }),
  ).rejects.toThrow('enough');
});

test('what differs is found at midnight, told, and repaired', async () => {
  const { db } = setting.server.services;
  const site = await createBuilding(setting.server.services);
  await setting.report(site);
  await runJobs(setting.server, clock);
  await db.update(buildingPulses).set({ openLow: 7 }).where(eq(buildingPulses.buildingId, site.id));
  clock.advance(DAY_MS);
  await runJobs(setting.server, clock);
  const [state] = await db.select().from(pulseState);
  expect(state).toMatchObject({ differed: 1, comparedAt: clock.now().toISOString() });
  expect(state?.compared).toBeGreaterThan(1);
  expect(setting.server.logged.join()).toContain('differed from what they count');
  const [row] = await db.select().from(buildingPulses).where(eq(buildingPulses.buildingId, site.id));
  expect(row?.openLow).toBe(1);
});
