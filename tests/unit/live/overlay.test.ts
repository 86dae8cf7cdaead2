import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WireError } from '#shared/errors.ts';
import type { SimRow } from '#tests/support/live/simulated-live.ts';
import { createWorld, settle } from '#tests/support/live/simulated-world.ts';
import { StoppedError } from '#web/live/stream/wire-error.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const toDone = { status: { from: 'open', to: 'done' } };

/** One row on screen, in a list, a count and by itself; from here on, every message is held back. */
async function oneRow() {
  const world = createWorld();
  world.server.create('r1', 'b1', 'open');
  world.server.sequence();
  world.start();
  world.watch(world.queries.list, {});
  world.watch(world.queries.counts, {});
  world.watch(world.queries.one, { id: 'r1' });
  await settle();
  world.hold();
  const row = (): SimRow | null | undefined => world.shown(world.queries.one, { id: 'r1' });
  const arrive = () => {
    world.server.sequence();
    world.pump();
    world.client.cache.flush();
  };
  const overlays = () => world.client.overlays.snapshot().size;
  return { ...world, row, arrive, overlays };
}

describe('live/J5 an own write', () => {
  test('shows at once, in the row, the list and the count, and is pending until it is answered', async () => {
    const { mutate, row, queries, client, serveWrite, answerWrite, shown } = await oneRow();
    mutate('r1', toDone, { status: 'done' });
    expect(row()?.status).toBe('done');
    expect(shown(queries.list, {})?.rows[0]?.status).toBe('done');
    expect(shown(queries.counts, {})).toMatchObject({ open: 0, done: 1 });
    expect(client.overlays.isPending('issue', 'r1')).toBe(true);
    await settle();
    serveWrite(0);
    answerWrite(0);
    await settle();
    expect(client.overlays.isPending('issue', 'r1')).toBe(false);
    expect(row()?.status).toBe('done');
  });

  test('goes when the stream brings it, also before its answer', async () => {
    const { mutate, row, arrive, overlays, serveWrite, answerWrite, queries, shown } = await oneRow();
    mutate('r1', toDone, { status: 'done' });
    await settle();
    serveWrite(0);
    arrive();
    expect(overlays()).toBe(0);
    expect(row()).toMatchObject({ status: 'done', version: 2 });
    expect(shown(queries.counts, {})).toMatchObject({ open: 0, done: 1 });
    answerWrite(0);
    await settle();
    expect(overlays()).toBe(0);
  });

  test('goes when the row has reached the version of its answer: a no-op leaves no ghost', async () => {
    const { mutate, overlays, serveWrite, answerWrite } = await oneRow();
    mutate('r1', { note: { from: 7, to: 0 } }, { note: 7 });
    expect(overlays()).toBe(1);
    await settle();
    serveWrite(0);
    answerWrite(0);
    await settle();
    expect(overlays()).toBe(0);
  });

  test('that is refused goes back, and the promise rejects', async () => {
    const { mutate, row, overlays, server, serveWrite, outcomes } = await oneRow();
    server.edit('r1', { status: { from: 'open', to: 'doing' } });
    mutate('r1', toDone, { status: 'done' });
    await settle();
    serveWrite(0);
    await settle();
    expect(overlays()).toBe(0);
    expect(row()?.status).toBe('open');
    expect((await outcomes[0])?.ok).toBe(false);
  });

  test("stays on top of another person's change of another field, and is not on top of a removal", async () => {
    const { mutate, row, arrive, server } = await oneRow();
    mutate('r1', toDone, { status: 'done' });
    server.edit('r1', { note: { from: 0, to: 5 } });
    arrive();
    expect(row()).toMatchObject({ status: 'done', note: 5 });
    server.remove('r1');
    arrive();
    expect(row()).toBeNull();
  });

  test('that the writer may not see the result of is settled by a later snapshot', async () => {
    const { mutate, row, arrive, overlays, server, serveWrite, answerWrite, heal, pump } = await oneRow();
    mutate('r1', toDone, { status: 'done' });
    await settle();
    serveWrite(0);
    // By then the writer has lost the building whose people get the event of the write.
    server.setAccess(['b2']);
    const [event] = server.outbox.splice(0, 1);
    expect(event?.kind).toBe('event');
    arrive();
    answerWrite(0);
    await settle();
    expect(row()).toBeNull();
    expect(overlays()).toBe(1);
    vi.setSystemTime(Date.now() + 6000);
    pump();
    await heal();
    expect(overlays()).toBe(0);
  });

  test('is not shown on a snapshot that was asked for after its answer', async () => {
    const { mutate, server, serveWrite, answerWrite, serve, answer, client, queries, shown } = await oneRow();
    mutate('r1', toDone, { status: 'done' });
    await settle();
    serveWrite(0);
    answerWrite(0);
    await settle();
    // Another person changes it again; the stream has delivered neither change.
    server.edit('r1', { status: { from: 'done', to: 'doing' } });
    for (const cached of client.cache.queryClient.getQueryCache().getAll()) void client.cache.refetch(cached);
    await settle();
    for (const n of [0, 1, 2]) serve(n);
    for (let i = 0; i < 3; i += 1) answer(0);
    await settle();
    expect(shown(queries.counts, {})).toMatchObject({ open: 0, doing: 1, done: 0 });
    expect(shown(queries.list, {})?.rows[0]?.status).toBe('doing');
  });

  test('of a row that has another one before it waits for that one, and keeps its own when that is refused', async () => {
    const { mutate, row, server, writes, serveWrite, answerWrite, outcomes, heal } = await oneRow();
    mutate('r1', { status: { from: 'wrong', to: 'done' } }, { status: 'done' });
    mutate('r1', { note: { from: 0, to: 3 } }, { note: 3 });
    expect(row()).toMatchObject({ status: 'done', note: 3 });
    await settle();
    expect(writes.length).toBe(1);
    serveWrite(0);
    await settle();
    expect(row()).toMatchObject({ status: 'open', note: 3 });
    serveWrite(0);
    answerWrite(0);
    await settle();
    expect((await Promise.all(outcomes)).map(({ ok }) => ok)).toEqual([false, true]);
    await heal();
    expect(row()).toMatchObject({ status: 'open', note: 3, version: 2 });
    expect(server.effects).toBe(1);
  });
});

describe('live/S5 a write whose answer is lost', () => {
  test('is sent again with the same operation id, and applied once', async () => {
    const { mutate, server, writes, serveWrite, loseWrite, answerWrite, outcomes, heal } = await oneRow();
    mutate('r1', toDone, { status: 'done' });
    await settle();
    serveWrite(0);
    loseWrite(0);
    await expect.poll(() => writes.length).toBe(1);
    serveWrite(0);
    answerWrite(0);
    expect(await outcomes[0]).toMatchObject({ ok: true });
    expect(server.effects).toBe(1);
    expect([...server.applied]).toHaveLength(1);
    await heal();
  });

  const answerOf = (app: WireError) => Object.assign(new Error(app.code), { data: { code: 'OTHER', app } });

  test('is sent again for as long as the server itself does not know the outcome', async () => {
    const { mutate, writes, serveWrite, answerWrite, outcomes, heal } = await oneRow();
    mutate('r1', toDone, { status: 'done' });
    for (let time = 0; time < 5; time += 1) {
      await expect.poll(() => writes.length).toBe(1);
      writes.splice(0)[0]?.reject(answerOf({ code: 'busy', outcome: 'unknown' }));
    }
    await expect.poll(() => writes.length).toBe(1);
    serveWrite(0);
    answerWrite(0);
    expect(await outcomes[0]).toMatchObject({ ok: true });
    await heal();
  });

  test('is not reported as refused if the session ends before the outcome is known', async () => {
    const world = await oneRow();
    const attempts: WireError[] = [{ code: 'busy', outcome: 'unknown' }, { code: 'unauthenticated' }];
    const write = world.client.mutations.run<object, { version: number }>({
      input: {},
      send: () => Promise.reject(answerOf(attempts.shift() ?? { code: 'internal' })),
    });
    await expect(write).rejects.toThrow(StoppedError);
  });

  test('is given up at sign-out', async () => {
    const { mutate, client, outcomes, loseWrite, writes } = await oneRow();
    mutate('r1', toDone, { status: 'done' });
    await settle();
    loseWrite(0);
    client.stop();
    expect((await outcomes[0])?.ok).toBe(false);
    expect(writes).toHaveLength(0);
  });
});
