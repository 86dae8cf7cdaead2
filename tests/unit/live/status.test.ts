import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tally } from '#tests/support/live/simulated-live.ts';
import { createWorld, settle } from '#tests/support/live/simulated-world.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { HighlightStore } from '#web/live/highlight.ts';
import { StatusStore } from '#web/live/stream/status.ts';

afterEach(() => void vi.useRealTimers());

describe('live/T1 how fresh the screen is', () => {
  beforeEach(() => void vi.useFakeTimers());

  function running() {
    let online = true;
    const status = new StatusStore(() => online);
    status.start();
    status.connection(true);
    return {
      status,
      state: () => status.snapshot().state,
      network: (is: boolean) => {
        online = is;
        status.look();
      },
    };
  }
  const now = () => new Date().toISOString();

  test('it is live from the first frame on, not from the socket on', () => {
    const { status, state } = running();
    status.connection(false);
    vi.advanceTimersByTime(20_000);
    status.connection(true);
    expect(state()).toBe('reconnecting');
    status.contact(now(), 0);
    expect(state()).toBe('live');
  });

  test('a server that has lost its database does not look alive, though its socket does', () => {
    const { status, state } = running();
    status.contact(now(), 0);
    vi.advanceTimersByTime(11_000);
    expect(state()).toBe('live');
    vi.advanceTimersByTime(3000);
    expect(state()).toBe('reconnecting');
    expect(Date.now() - status.snapshot().sinceMs).toBe(14_000);
    status.stop();
  });

  test('without a network it is offline at once, without contact after half a minute', () => {
    const { status, state, network } = running();
    status.contact(now(), 0);
    network(false);
    expect(state()).toBe('offline');
    network(true);
    expect(state()).toBe('live');
    status.connection(false);
    expect(state()).toBe('reconnecting');
    vi.advanceTimersByTime(31_000);
    expect(state()).toBe('offline');
    status.stop();
  });

  test('a clock that is wrong by hours changes nothing', () => {
    const { status, state } = running();
    const server = () => new Date(Date.now() + 3 * 3_600_000).toISOString();
    status.contact(server(), 2);
    expect(state()).toBe('live');
    expect(status.snapshot().behind).toBe(2);
    expect(status.now()).toBe(Date.parse(server()));
    vi.advanceTimersByTime(14_000);
    expect(state()).toBe('reconnecting');
    expect(Date.now() - status.snapshot().sinceMs).toBe(14_000);
    status.stop();
  });

  test('a clock that is put forward changes nothing once a frame has come', () => {
    const { status, state } = running();
    const server = () => new Date(serverMs).toISOString();
    let serverMs = Date.now();
    const pass = (ms: number) => {
      vi.advanceTimersByTime(ms);
      serverMs += ms;
    };
    status.contact(server(), 0);
    vi.setSystemTime(Date.now() + 3_600_000);
    pass(1_000);
    // The device may have been asleep.
    expect(state()).toBe('reconnecting');
    for (let n = 0; n < 5; n += 1) {
      status.contact(server(), 0);
      expect(state()).toBe('live');
      expect(status.now()).toBe(serverMs);
      pass(5_000);
    }
    expect(state()).toBe('live');
    pass(10_000);
    expect(state()).toBe('reconnecting');
    expect(Date.now() - status.snapshot().sinceMs).toBe(15_000);
    status.stop();
  });

  test('a clock that is put back makes nothing younger', () => {
    const { status, state } = running();
    status.contact(now(), 0);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(5_000);
    expect(state()).toBe('live');
    vi.advanceTimersByTime(8_000);
    expect(state()).toBe('reconnecting');
    expect(status.silent).toBe(true);
    expect(Date.now() - status.snapshot().sinceMs).toBe(13_000);
    status.connection(false);
    vi.advanceTimersByTime(107_000);
    expect(state()).toBe('offline');
    status.stop();
  });

  test('a device that has slept is not live before a frame has come, however short its sleep', () => {
    const { status, state } = running();
    status.contact(now(), 0);
    // The monotonic clock stood still during the sleep.
    vi.setSystemTime(Date.now() + 6_000);
    status.look();
    expect(state()).toBe('reconnecting');
    vi.advanceTimersByTime(3_000);
    expect(state()).toBe('reconnecting');
    expect(status.silent).toBe(true);
    status.contact(now(), 0);
    expect(state()).toBe('live');
    vi.setSystemTime(Date.now() + 3_600_000);
    status.connection(false);
    expect(state()).toBe('offline');
    expect(Date.now() - status.snapshot().sinceMs).toBe(3_600_000);
    status.stop();
  });

  test('clocks that do not run at one speed do not part in days, and a frame that was long under way is old', () => {
    const { status, state } = running();
    let serverMs = Date.now();
    const minutes = 3 * 24 * 60;
    for (let n = 0; n < minutes * 6; n += 1) {
      vi.advanceTimersByTime(10_000);
      // This device's clock is 0.01 % fast.
      serverMs += 9_999;
      status.contact(new Date(serverMs).toISOString(), 0);
    }
    expect(state()).toBe('live');
    status.contact(new Date(serverMs - 20_000).toISOString(), 0);
    expect(state()).toBe('reconnecting');
    status.stop();
  });

  test('heartbeats of a live stream tell no listener anything', () => {
    const { status } = running();
    status.contact(now(), 0);
    const told = vi.fn();
    status.subscribe(told);
    for (let i = 0; i < 5; i += 1) {
      vi.advanceTimersByTime(4000);
      status.contact(now(), 0);
    }
    expect(told).not.toHaveBeenCalled();
    status.stop();
  });
});

test('a row that another person changed is highlighted for two seconds', () => {
  vi.useFakeTimers();
  const glow = new HighlightStore();
  const told = vi.fn();
  glow.subscribe(told);
  glow.add('issue', 'r1', 'person-2');
  vi.advanceTimersByTime(1500);
  glow.add('issue', 'r1', 'person-3');
  vi.advanceTimersByTime(1500);
  expect(glow.get('issue', 'r1')?.by).toBe('person-3');
  vi.advanceTimersByTime(600);
  expect(glow.get('issue', 'r1')).toBeUndefined();
  expect(told).toHaveBeenCalledTimes(3);
});

describe('with a clock that is put back by an hour', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }));

  async function onScreen() {
    const world = createWorld({ resetPaceMs: 10_000 });
    world.server.create('r1', 'b1', 'open');
    world.server.sequence();
    world.start();
    world.watch(world.queries.counts, {});
    await settle();
    const putBack = () => vi.setSystemTime(Date.now() - 3_600_000);
    const pass = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      await settle();
    };
    return { ...world, putBack, pass };
  }

  test('live/T3 a second reset is answered after ten seconds', async () => {
    const { server, resume, putBack, pass, queries, shown } = await onScreen();
    server.restore();
    resume();
    await settle();
    putBack();
    await pass(1_000);
    server.restore();
    server.edit('r1', { status: { from: 'open', to: 'done' } });
    server.sequence();
    resume();
    await pass(10_000);
    expect(shown(queries.counts, {})).toEqual(tally(server.visible()));
  });

  test('live/J3 what could not be fetched is tried again with the next heartbeats', async () => {
    const { server, hold, pump, client, reads, failReads, putBack, pass } = await onScreen();
    pump();
    hold();
    server.bulk('b1', 'done');
    server.sequence();
    pump();
    client.cache.flush();
    await settle();
    const state = () => client.cache.queryClient.getQueryCache().getAll()[0]?.state.status;
    while (state() !== 'error') {
      failReads();
      await pass(100);
    }
    putBack();
    await pass(6_000);
    pump();
    await settle();
    expect(reads).toHaveLength(1);
  });
});

describe('with a simulated server', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

  async function two() {
    const world = createWorld();
    world.server.create('r1', 'b1', 'open');
    world.server.create('r2', 'b1', 'open');
    world.server.sequence();
    world.start();
    world.watch(world.queries.list, {});
    world.watch(world.queries.counts, {});
    await settle();
    world.hold();
    const arrive = () => {
      world.server.sequence();
      world.pump();
      world.client.cache.flush();
    };
    return { ...world, arrive };
  }

  test("another person's change is highlighted; the person's own and replayed ones are not", async () => {
    const { server, client, arrive } = await two();
    server.edit('r1', { note: { from: 0, to: 1 } });
    server.edit('r2', { note: { from: 0, to: 1 } }, { actor: server.me, operationId: null });
    arrive();
    expect(client.glow.get('issue', 'r1')?.by).toBe('person-2');
    expect(client.glow.get('issue', 'r2')).toBeUndefined();
    server.edit('r2', { note: { from: 1, to: 2 } });
    vi.setSystemTime(Date.now() + 60_000);
    arrive();
    expect(client.glow.get('issue', 'r2')).toBeUndefined();
  });

  test('live/J3 a new snapshot that cannot be had is asked for until it is there', async () => {
    const { server, client, queries, arrive, failReads, reads, pump, heal, shown } = await two();
    server.bulk('b1', 'done');
    arrive();
    const failed = () =>
      client.cache.queryClient
        .getQueryCache()
        .getAll()
        .every(({ state }) => state.status === 'error');
    await vi.waitFor(() => {
      failReads();
      expect(failed()).toBe(true);
    }, PATIENCE);
    // The next event is applied to the existing value, which looks like a success.
    server.edit('r1', { note: { from: 0, to: 1 } });
    arrive();
    expect(shown(queries.counts, {})).not.toEqual(tally(server.visible()));
    vi.setSystemTime(Date.now() + 6000);
    pump();
    await settle();
    expect(reads.length).toBe(2);
    await heal();
    expect(shown(queries.counts, {})).toEqual(tally(server.visible()));
    expect(shown(queries.list, {})?.rows).toEqual(server.visible());
    expect(client.cache.isBehind()).toBe(false);
  });

  test('live/T4 a read that is refused takes what was read before with it', async () => {
    const { server, client, queries, watch, shown, hold, reads } = await two();
    watch(queries.one, { id: 'r1' });
    await settle();
    reads[0]?.resolve(server.snapshot(server.rows.get('r1')));
    reads.splice(0);
    await settle();
    expect(shown(queries.one, { id: 'r1' })).toMatchObject({ id: 'r1' });
    hold();
    const cached = client.cache.queryClient.getQueryCache().find({ queryKey: ['sim.one', { id: 'r1' }] });
    if (cached) void client.cache.refetch(cached);
    await settle();
    reads[0]?.reject(refusal());
    await settle();
    expect(shown(queries.one, { id: 'r1' })).toBeUndefined();
  });

  const refusal = (code: 'forbidden' | 'not_found' = 'forbidden') =>
    Object.assign(new Error(code), { data: { code: code.toUpperCase(), app: { code } } });

  test('live/T4 what was refused is asked again when more is granted', async () => {
    const { server, queries, watch, shown, heal, reads, arrive } = await two();
    watch(queries.one, { id: 'r1' });
    await settle();
    reads.splice(0)[0]?.reject(refusal());
    await settle();
    expect(shown(queries.one, { id: 'r1' })).toBeUndefined();
    server.setAccess(['b1']);
    arrive();
    server.setAccess(['b1', 'b2']);
    arrive();
    await settle();
    await heal();
    expect(shown(queries.one, { id: 'r1' })).toMatchObject({ id: 'r1' });
  });

  test('live/J3 what was not there is asked for again when it comes', async () => {
    const { server, queries, watch, shown, heal, reads, arrive } = await two();
    watch(queries.one, { id: 'r1' });
    await settle();
    reads.splice(0)[0]?.reject(refusal('not_found'));
    await settle();
    expect(shown(queries.one, { id: 'r1' })).toBeUndefined();
    server.edit('r1', { note: { from: 0, to: 1 } });
    arrive();
    await settle();
    await heal();
    expect(shown(queries.one, { id: 'r1' })).toMatchObject({ id: 'r1' });
  });

  test('live/J3 what was not there is asked for again when many rows at once may have brought it', async () => {
    const { server, queries, watch, shown, heal, reads, arrive } = await two();
    watch(queries.one, { id: 'r1' });
    await settle();
    reads.splice(0)[0]?.reject(refusal('not_found'));
    await settle();
    server.bulk('b1', 'closed');
    arrive();
    await settle();
    await heal();
    expect(shown(queries.one, { id: 'r1' })).toMatchObject({ id: 'r1' });
  });

  test('live/J3 a refusal is not believed where the thing has come while it was under way', async () => {
    const { server, queries, watch, shown, heal, reads, arrive } = await two();
    watch(queries.one, { id: 'r1' });
    await settle();
    server.edit('r1', { note: { from: 0, to: 1 } });
    arrive();
    await settle();
    reads.splice(0)[0]?.reject(refusal('not_found'));
    await settle();
    await heal();
    expect(shown(queries.one, { id: 'r1' })).toMatchObject({ id: 'r1' });
  });

  test('live/T4 a refusal of what was asked before more was granted is not believed', async () => {
    const { server, queries, watch, shown, heal, reads, arrive } = await two();
    watch(queries.one, { id: 'r1' });
    await settle();
    server.setAccess(['b1']);
    arrive();
    server.setAccess(['b1', 'b2']);
    arrive();
    await settle();
    reads.splice(0)[0]?.reject(refusal());
    await settle();
    await heal();
    expect(shown(queries.one, { id: 'r1' })).toMatchObject({ id: 'r1' });
  });
});
