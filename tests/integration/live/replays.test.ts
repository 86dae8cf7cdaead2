import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLiveSetting, expectNoGap, type LiveSetting } from '#tests/support/live/live-setting.ts';

let setting: LiveSetting;
/** Replays in progress, each with the buildings that it is for and a function that lets it continue. */
let running: { buildings: string; goOn: () => void }[] = [];
let most = 0;
let replays = 0;
/** While true, replays wait in the middle of their work. */
let hold = false;

beforeEach(async () => {
  running = [];
  most = 0;
  replays = 0;
  hold = false;
  setting = await createLiveSetting({
    liveParts: {
      // Small, so that a reconnecting client is served from the table.
      ringCapacity: 20,
      replayAnswerMs: 500,
      source: (usual) => ({
        ...usual,
        async visible(range, sight) {
          replays += 1;
          if (hold) {
            await new Promise<void>((goOn) => {
              running.push({ buildings: String(sight.buildings), goOn });
              most = Math.max(most, running.length);
            });
          }
          return usual.visible(range, sight);
        },
      }),
    },
  });
});
afterEach(() => setting.end());

function letGo(): void {
  hold = false;
  for (const { goOn } of running) goOn();
}

const under = () => ({
  waiting: setting.server.live.figures()['waiting'],
  owners: new Set(running.map(({ buildings }) => buildings)).size,
});
const numbers = (stream: { events: { g: number }[] }) => stream.events.map(({ g }) => g);
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, n) => n + from);

test('live/T6 few replays read the event log at once, and one a person, however many sockets ask', async () => {
  const { here, there } = setting;
  const one = await setting.someone('viewer', [here]);
  // Each person forms a class of their own, so that nobody gets a page that was read for another person.
  const classes = [[here, there], [there], []];
  const others = await Promise.all(classes.map((buildings) => setting.someone('viewer', buildings)));
  const live = await setting.followed(setting.admin.cookie);
  const lastEventId = live.position() ?? '';
  await setting.pour(setting.here, 100);
  hold = true;
  const streams = Array.from({ length: 10 }, () => setting.follow(one.cookie, { lastEventId }));
  await expect.poll(under).toEqual({ waiting: 9, owners: 1 });
  expect(running[0]?.buildings).toBe(here.id);

  // Other people's replays overtake this person's queue, as far as there are slots.
  streams.push(...others.map(({ cookie }) => setting.follow(cookie, { lastEventId })));
  await expect.poll(under).toEqual({ waiting: 10, owners: 3 });

  // Meanwhile connected subscribers still receive new events.
  await setting.report(setting.here);
  // The issue, and the figures of its building.
  await expect.poll(() => numbers(live).at(-1)).toBe(102);

  expect(most).toBe(3);
  letGo();
  for (const stream of streams) {
    await expect.poll(() => stream.g()).toBe(102);
    expectNoGap(stream);
  }
  for (const stream of streams.slice(0, 11)) expect(numbers(stream)).toEqual(upTo(102));
  for (const stream of streams.slice(11)) expect(numbers(stream)).toEqual([]);
});

test('live/T6 a crowd of one class reads each page of the event log once', async () => {
  const live = await setting.followed(setting.admin.cookie);
  const lastEventId = live.position() ?? '';
  await setting.pour(setting.here, 100);
  const people = await Promise.all(
    Array.from({ length: 8 }, () => setting.someone('viewer', [setting.here])),
  );
  hold = true;
  const crowd = people.map(({ cookie }) => setting.follow(cookie, { lastEventId }));
  await expect.poll(under).toEqual({ waiting: 5, owners: 1 });
  letGo();
  for (const stream of crowd) {
    await expect.poll(() => numbers(stream)).toEqual(upTo(100));
    expectNoGap(stream);
  }
  expect(replays).toBe(1);
});

test('live/T6 a client that has gone is not replayed to', async () => {
  const one = await setting.someone('viewer', [setting.here]);
  const live = await setting.followed(setting.admin.cookie);
  const lastEventId = live.position() ?? '';
  await setting.pour(setting.here, 100);
  hold = true;
  const first = setting.follow(one.cookie, { lastEventId });
  await expect.poll(under).toEqual({ waiting: 0, owners: 1 });
  const rest = [1, 2].map(() => setting.follow(one.cookie, { lastEventId }));
  await expect.poll(under).toEqual({ waiting: 2, owners: 1 });
  await Promise.all(rest.map((stream) => stream.close()));
  await expect.poll(() => setting.server.live.figures()['subscribers']).toBe(2);
  letGo();
  await expect.poll(() => numbers(first)).toEqual(upTo(100));
  await expect.poll(() => setting.server.live.figures()['waiting']).toBe(0);
  expect(replays).toBe(1);
});

test('live/R1 connections of replays that hang are replaced, and the present does not wait for them', async () => {
  const viewer = await setting.someone('viewer', [setting.here]);
  const live = await setting.followed(viewer.cookie);
  const lastEventId = live.position() ?? '';
  await setting.pour(setting.here, 100);
  // The pool opens its connections on demand.
  await expect.poll(() => numbers(live).at(-1)).toBe(100);
  const back = await setting.followed(viewer.cookie, { lastEventId });
  await expect.poll(() => back.events.length).toBe(100);
  await back.close();
  const processes = await setting.owner.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'lintel replays'`;
  expect(processes.length).toBeGreaterThan(0);
  try {
    for (const { pid } of processes) process.kill(pid, 'SIGSTOP');
    const late = setting.follow(viewer.cookie, { lastEventId });
    await setting.pour(setting.here, 1);
    await expect.poll(() => numbers(live).at(-1)).toBe(101);
    expect(late.events).toEqual([]);
    await expect.poll(() => numbers(late)).toEqual(upTo(101));
    expect(late.closes).toEqual([1013]);
    expect(live.closes).toEqual([]);
    const replaced = setting.server.logged.filter((line) => line.includes('connections that do not answer'));
    expect(replaced.map((line) => JSON.parse(line)['connections'])).toEqual(['lintel replays']);
  } finally {
    for (const { pid } of processes) process.kill(pid, 'SIGCONT');
  }
});

test('live/T2 a replay brings the events with at least one building that the person sees, and no others', async () => {
  const nobodys = await setting.followed((await setting.someone('viewer')).cookie);
  const lastEventId = nobodys.position() ?? '';
  const { here, there, owner } = setting;
  const both = [here.id, there.id];
  const audiences = [[here.id], [there.id], both, [...both].reverse(), [], null];
  for (const buildings of audiences) {
    await owner.sql`
      insert into outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
      values ('org', now(), 'test.tell', 'issue', gen_random_uuid(), 'put', 1, 'view_building_issues',
        ${buildings}::uuid[], '{}')`;
  }
  await setting.pour(there, 50);
  const seen = async (buildings: Parameters<typeof setting.someone>[1]) => {
    const { cookie } = await setting.someone('viewer', buildings);
    const stream = setting.follow(cookie, { lastEventId });
    await expect.poll(() => stream.g()).toBe(56);
    return numbers(stream).filter((g) => g <= 6);
  };
  expect(await seen([here])).toEqual([1, 3, 4, 6]);
  expect(await seen([there])).toEqual([2, 3, 4, 6]);
  expect(await seen([])).toEqual([6]);
});
