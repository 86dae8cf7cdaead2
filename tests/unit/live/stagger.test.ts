import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorld, settle } from '#tests/support/live/simulated-world.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const mine = { actor: 'person-1', operationId: null };

/** A window of a client that gets bulk events together with a thousand others. */
async function windowInCrowd(crowd = 1001) {
  const world = createWorld({ resetPaceMs: 10_000, bulkPaceMs: 2_000 });
  const { server, client, queries } = world;
  server.crowd = crowd;
  for (const id of ['r1', 'r2']) server.create(id, 'b1', 'open');
  server.sequence();
  world.start();
  const leave = world.watch(queries.list, {});
  await settle();
  world.hold();
  const bulk = async (status: string, origin?: typeof mine) => {
    server.bulk('b1', status, origin);
    server.sequence();
    world.pump();
    client.cache.flush();
    await settle();
  };
  const statuses = () => world.shown(queries.list, {})?.rows.map(({ status }) => status);
  const answer = async () => {
    world.serve(0);
    world.answer(0);
    await settle();
  };
  return { ...world, leave, bulk, statuses, answer };
}

test('live/T3 a bulk change by another person is fetched after a random part of the time for all clients', async () => {
  const { bulk, reads, statuses, answer } = await windowInCrowd();
  await bulk('done');
  await vi.advanceTimersByTimeAsync(4_999);
  expect(reads).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads).toHaveLength(1);
  await answer();
  expect(statuses()).toEqual(['done', 'done']);
});

test('live/T3 the only client with a bulk change fetches at once', async () => {
  const { bulk, reads } = await windowInCrowd(1);
  await bulk('done');
  expect(reads).toHaveLength(1);
});

test('live/T3 a flood of bulk changes is fetched at once, and then every two seconds', async () => {
  const { bulk, reads, statuses, answer } = await windowInCrowd(1);
  await bulk('doing');
  expect(reads).toHaveLength(1);
  for (let change = 0; change < 50; change += 1) await bulk(change % 2 === 0 ? 'done' : 'doing');
  // This read was requested before the other events arrived: its answer is shown, and the next read waits.
  await answer();
  expect(statuses()).toHaveLength(2);
  expect(reads).toHaveLength(0);
  for (let change = 0; change < 50; change += 1) await bulk('done');
  await vi.advanceTimersByTimeAsync(1_999);
  expect(reads).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads).toHaveLength(1);
  await answer();
  expect(statuses()).toEqual(['done', 'done']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reads).toHaveLength(0);
});

test('live/T3 one’s own bulk change shows at once, and takes what waited with it', async () => {
  const { bulk, reads, statuses, answer } = await windowInCrowd();
  await bulk('doing');
  expect(reads).toHaveLength(0);
  await bulk('done', mine);
  expect(reads).toHaveLength(1);
  await answer();
  expect(statuses()).toEqual(['done', 'done']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reads).toHaveLength(0);
});

test('live/T3 many bulk changes are one question, which a heartbeat does not bring forward', async () => {
  const { bulk, reads, pump } = await windowInCrowd();
  await bulk('doing');
  await vi.advanceTimersByTimeAsync(4_900);
  await bulk('done');
  // Later heartbeats, at which failed reads are tried again.
  vi.setSystemTime(Date.now() + 60_000);
  pump();
  await settle();
  expect(reads).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(reads).toHaveLength(1);
});

test('live/T3 a list that is not on screen is not found old when it is opened again', async () => {
  const { bulk, reads, leave, watch, queries, statuses, answer } = await windowInCrowd();
  leave();
  await bulk('done');
  expect(reads).toHaveLength(0);
  watch(queries.list, {});
  await settle();
  expect(reads).toHaveLength(1);
  await answer();
  expect(statuses()).toEqual(['done', 'done']);
});

test('live/T3 nothing that waited is asked after sign-out', async () => {
  const { bulk, reads, client } = await windowInCrowd();
  await bulk('done');
  client.stop();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reads).toHaveLength(0);
});
