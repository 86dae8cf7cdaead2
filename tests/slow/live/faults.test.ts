import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createListener } from '#server/live/listen.ts';
import { uuidv7 } from '#shared/ids.ts';
import { openRaw, type StreamClient } from '#tests/support/live/live-client.ts';
import {
  changesOf,
  createLiveSetting,
  expectNoGap,
  type LiveSetting,
} from '#tests/support/live/live-setting.ts';
import { createModelClient } from '#tests/support/live/model-client.ts';
import { startTcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

/** So small that a replay reads both the table and the ring. */
const RING = 50;

let setting: LiveSetting;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-live-'));
  setting = await createLiveSetting({
    positionFile: join(folder, 'position.json'),
    liveParts: { ringCapacity: RING },
  });
});
afterEach(async () => {
  await setting.end();
  await rm(folder, { recursive: true });
});

/** Changes the event log by force, as only its owner can. */
async function forge(work: string): Promise<void> {
  await setting.owner.sql.begin((tx) =>
    tx.unsafe(`
      alter table events disable trigger user; alter table event_payloads disable trigger user;
      ${work};
      alter table events enable trigger user; alter table event_payloads enable trigger user`),
  );
}

const numbers = (stream: { events: { g: number }[] }) => stream.events.map(({ g }) => g);
const idsOf = (stream: StreamClient) => changesOf(stream).map(({ entityId }) => entityId);
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, n) => n + from);

describe('two servers on one database', () => {
  test('live/R1 each tells its clients what the other wrote, and either takes up the other’s clients', async () => {
    const second = await startTestServer(setting.database);
    const viewer = await setting.someone('viewer', [setting.here]);
    const atFirst = await setting.followed(viewer.cookie);
    const atSecond = await setting.followed(viewer.cookie, { server: second });
    const first = await setting.report(setting.here);
    await expect.poll(() => idsOf(atSecond)).toEqual([first]);
    await expect.poll(() => idsOf(atFirst)).toEqual([first]);
    const moved = await setting.followed(viewer.cookie, {
      server: second,
      lastEventId: atFirst.position() ?? '',
    });
    const next = await setting.report(setting.here);
    await expect.poll(() => idsOf(moved)).toEqual([next]);
    await setting.closeStreams();
    await second.stop();
  });

  test('live/T6 a deploy asks clients to come back, with 1012, and they miss nothing', async () => {
    const second = await startTestServer(setting.database);
    const proxy = await startTcpProxy(() => Number(new URL(target.url).port));
    let target = second;
    const viewer = await setting.someone('viewer', [setting.here]);
    const stream = await setting.followed(viewer.cookie, { via: `http://127.0.0.1:${proxy.port}` });
    target = setting.server;
    await second.stop();
    await expect.poll(() => stream.closes[0]).toBe(1012);
    const id = await setting.report(setting.here);
    await expect.poll(() => idsOf(stream)).toEqual([id]);
    expectNoGap(stream);
    await setting.closeStreams();
    await proxy.close();
  });
});

describe('coming back', () => {
  test('live/T2 through the table and the ring, while others write', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const first = await setting.followed(viewer.cookie);
    const position = first.position() ?? '';
    await setting.closeStreams();
    await setting.pour(setting.here, 1_300);
    await setting.pour(setting.there, 700);
    const pouring = setting.pour(setting.here, 300);
    const stream = setting.follow(viewer.cookie, { lastEventId: position });
    await pouring;
    await expect.poll(() => stream.events.length).toBe(1_600);
    expect(numbers(stream)).toEqual([...upTo(1_300), ...upTo(2_300, 2_001)]);
    for (const { events } of stream.frames) expect(JSON.stringify(events).length).toBeLessThan(64 * 1024);
    expectNoGap(stream);
  });

  test('live/T3 further behind than 5,000 visible changes, or 2 MB, means a reset; hidden ones do not count', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const first = await setting.followed(viewer.cookie);
    const position = first.position() ?? '';
    await setting.closeStreams();
    await setting.pour(setting.there, 5_100);
    const hidden = await setting.followed(viewer.cookie, { lastEventId: position });
    await expect.poll(() => hidden.g()).toBe(5_100);
    expect(hidden.frames.map(({ reset }) => reset)).not.toContain('too_old');
    await setting.closeStreams();

    await setting.pour(setting.here, 450, 5_000);
    const late = setting.follow(viewer.cookie, { lastEventId: position });
    await expect.poll(() => late.frames.at(-1)?.reset).toBe('too_old');
    expect(late.g()).toBe(5_550);
    await setting.pour(setting.here, 1);
    await expect.poll(() => numbers(late).at(-1)).toBe(5_551);
  });

  test('live/T3 a position that cannot be continued from is reset once, never refused', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const good = await setting.followed(viewer.cookie);
    const [epoch] = (good.position() ?? '').split('.');
    const cases: [cursor: string, reason: string][] = [
      [`018f0000-0000-7000-8000-000000000001.0`, 'epoch'],
      [`${epoch}.999`, 'ahead'],
      ['nonsense', 'unreadable'],
      ['x'.repeat(10_000), 'unreadable'],
      [`${epoch}.-1`, 'unreadable'],
      ['', 'unreadable'],
    ];
    for (const [lastEventId, reason] of cases) {
      const stream = await setting.followed(viewer.cookie, { lastEventId });
      expect(stream.frames[0], lastEventId.slice(0, 50)).toMatchObject({ reset: reason, events: [] });
      expect(stream.position()).toBe(good.position());
      expect(stream.errors).toEqual([]);
      await stream.close();
    }
  });
});

describe('a database that is not what it was', () => {
  test('live/T3 going back while the server runs begins a new epoch, and all clients are reset', async () => {
    const stream = await setting.followed(setting.admin.cookie);
    await setting.pour(setting.here, 10);
    await expect.poll(() => numbers(stream)).toEqual(upTo(10));
    const [before] = (stream.position() ?? '').split('.');
    await forge(
      'delete from event_payloads where g > 4; delete from events where g > 4; update stream_head set g = 4',
    );
    await expect.poll(() => stream.frames.at(-1)?.reset).toBe('epoch');
    const [after, g] = (stream.position() ?? '').split('.');
    expect(after).not.toBe(before);
    expect(g).toBe('4');
    await setting.pour(setting.here, 1);
    await expect.poll(() => stream.g()).toBe(5);
  });

  test('live/T3 going back while the server was down is seen at its start', async () => {
    await setting.pour(setting.here, 10);
    const stream = await setting.followed(setting.admin.cookie);
    await expect.poll(() => stream.g()).toBe(10);
    const position = stream.position() ?? '';
    await setting.closeStreams();
    await setting.server.stop();
    await forge(
      'delete from event_payloads where g > 4; delete from events where g > 4; update stream_head set g = 4',
    );
    await setting.pour(setting.here, 8);
    const again = await startTestServer(setting.database, { positionFile: join(folder, 'position.json') });
    const back = await setting.followed(setting.admin.cookie, { server: again, lastEventId: position });
    expect(back.frames[0]?.reset).toBe('epoch');
    await setting.closeStreams();
    await again.stop();
  });

  test('live/T3 going back is seen in the client’s own position, where nothing else is left to tell', async () => {
    const second = await startTestServer(setting.database);
    const screen = await createModelClient({ url: second.url, cookie: setting.admin.cookie });
    screen.watch(screen.queries.list, {});
    const titles = () =>
      screen
        .shown(screen.queries.list, {})
        ?.rows.map(({ title }) => title)
        .sort();
    await setting.report(setting.here, 'Before the backup');
    await expect.poll(titles).toEqual(['Before the backup']);
    await setting.report(setting.here, 'After the backup');
    await expect.poll(titles).toEqual(['After the backup', 'Before the backup']);
    const { epoch, g, digest } = screen.live.cache.cursor;
    expect(g).toBeGreaterThanOrEqual(2);
    expect(digest).toBe(await digestAt(g));
    const port = Number(new URL(second.url).port);
    screen.offline();
    await second.stop();
    await setting.server.stop();

    // The same epoch and more events than before, on a host that has not stored a position.
    await forge(`
      delete from event_payloads where g > 1; delete from events where g > 1; update stream_head set g = 1;
      delete from building_issues where title = 'After the backup'`);
    const restored = await startTestServer(setting.database, { env: { port } });
    await createTestClient(restored.url, setting.admin.cookie).issues.create.mutate({
      ...{ operationId: uuidv7(), id: uuidv7(), buildingId: setting.here.id },
      ...{ title: 'Since the restore', description: '', priority: 'low' },
    });
    await setting.pour(setting.there, 3);
    const [head] = await setting.owner.sql<{ g: string }[]>`select g from stream_head`;
    const last = Number(head?.g);
    expect(last).toBeGreaterThan(g);
    const named = `${epoch}.${g}`;
    const [withDigest, without] = [`${named}.${digest}`, named].map((lastEventId) =>
      setting.follow(setting.admin.cookie, { server: restored, lastEventId }),
    );
    await expect.poll(() => withDigest?.frames[0]?.reset).toBe('restored');
    expect(withDigest?.position()).toBe(`${epoch}.${last}.${await digestAt(last)}`);
    // A page of a version without digests gets positions in the form that it can read.
    await expect.poll(() => without?.position()).toBe(`${epoch}.${last}`);
    expect(without?.frames.map(({ reset }) => reset)).not.toContain('restored');

    screen.online();
    await expect.poll(titles).toEqual(['Before the backup', 'Since the restore']);
    screen.stop();
    await setting.closeStreams();
    await restored.stop();
  });

  test('live/T3 a digest is right from the first frame on, through table, ring, heartbeats and notes', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const { asOf, digest } = await viewer.client.session.me.query();
    expect(digest).toBe('00000000');
    await setting.pour(setting.here, 120);
    await setting.pour(setting.there, 40);
    const stream = setting.follow(viewer.cookie, { lastEventId: `${asOf}.${digest}` });
    await expect.poll(() => stream.g()).toBe(160);
    await setting.pour(setting.there, 5);
    await setting.pour(setting.here, 1, 70_000);
    await setting.pour(setting.here, 2, 40_000);
    await expect.poll(() => numbers(stream).at(-1)).toBe(168);
    const manager = await setting.someone('manager', [setting.here]);
    const id = await setting.report(setting.here);
    await manager.client.presence.tell.mutate({ window: uuidv7(), n: 1, at: { kind: 'issue', id } });
    await expect.poll(() => stream.frames.some(({ present }) => present)).toBe(true);
    const quiet = stream.frames.length;
    await expect.poll(() => stream.frames.length).toBeGreaterThan(quiet);
    expect(stream.frames.length).toBeGreaterThan(4);
    for (const { id } of stream.frames) {
      const [, g, named] = id.split('.');
      expect(named, id).toBe(await digestAt(Number(g)));
    }
    const later = await viewer.client.session.me.query();
    expect([later.asOf, later.digest]).toEqual([
      `${asOf.split('.')[0]}.${stream.g()}`,
      await digestAt(stream.g()),
    ]);
  });

  test('live/R1 a hole in the event log stops fan-out instead of being skipped', async () => {
    const stream = await setting.followed(setting.admin.cookie);
    await setting.pour(setting.here, 3);
    await expect.poll(() => numbers(stream)).toEqual([1, 2, 3]);
    await forge('update stream_head set g = 4');
    await expect.poll(() => setting.server.logged.join()).toContain('an event is missing');
    await setting.pour(setting.here, 2);
    const frames = stream.frames.length;
    // The server keeps reading, but does not count these reads as successful.
    await expect.poll(() => setting.server.live.figures()['read_age_seconds']).toBeGreaterThan(4.5);
    expect(setting.server.live.figures()).toMatchObject({ halted: 1, position: 3 });
    expect(numbers(stream)).toEqual([1, 2, 3]);
    expect(stream.frames.length).toBe(frames);
  });
});

async function digestAt(g: number): Promise<string> {
  const [row] = await setting.owner.sql<
    { digest: string }[]
  >`select encode(substring(hash for 4), 'hex') as digest from events where g = ${g}`;
  return row?.digest ?? 'no event';
}

describe('the two ways to write a shared frame', () => {
  test.each(['socket', 'library'] as const)('live/F1 say the same: %s', async (writing) => {
    const server = await startTestServer(setting.database, { liveParts: { writing } });
    const viewer = await setting.someone('viewer', [setting.here]);
    const streams = await Promise.all([1, 2].map(() => setting.followed(viewer.cookie, { server })));
    for (const length of [1, 40_000, 70_000, 10]) await setting.pour(setting.here, 2, length);
    for (const stream of streams) {
      await expect.poll(() => numbers(stream)).toEqual(upTo(8));
      expect(stream.closes).toEqual([]);
      expectNoGap(stream);
    }
    await setting.closeStreams();
    await server.stop();
  });
});

describe('a slow reader', () => {
  test('live/T5 is skipped, caught up when it reads again, and misses nothing', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const { ws, messages } = await openRaw(setting.server.url, viewer.cookie);
    ws.send(JSON.stringify({ id: 1, method: 'subscription', params: { path: 'live.stream', input: {} } }));
    await expect.poll(() => messages.length).toBeGreaterThan(1);
    ws.pause();
    await pourUntilBehind();
    const last = await head();
    ws.resume();
    await expect.poll(() => gs(messages).at(-1)).toBe(last);
    expect(gs(messages)).toEqual(upTo(last));
    ws.terminate();
  });

  test('live/T5 that stays full is closed with 1013', async () => {
    const impatient = await startTestServer(setting.database, {
      liveParts: { ringCapacity: RING, fullMaxMs: 1_000 },
    });
    const viewer = await setting.someone('viewer', [setting.here]);
    const { ws, messages, closed } = await openRaw(impatient.url, viewer.cookie);
    ws.send(JSON.stringify({ id: 1, method: 'subscription', params: { path: 'live.stream', input: {} } }));
    await expect.poll(() => messages.length).toBeGreaterThan(1);
    ws.pause();
    // The kernel's buffers grow, so a full one may have room again for a moment.
    await expect
      .poll(async () => {
        await pourUntilBehind(impatient);
        return impatient.live.figures()['subscribers'];
      })
      .toBe(0);
    ws.resume();
    expect(await closed).toBe(1013);
    await impatient.stop();
  });
});

/** Writes events until the kernel's buffers are full, whatever their size. */
async function pourUntilBehind({ live }: TestServer = setting.server): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    await setting.pour(setting.here, 100, 5_000);
    const arrived = await head();
    await expect.poll(() => live.figures()['position']).toBe(arrived);
    const { behind, subscribers } = live.figures();
    if (behind === 1 || subscribers === 0) return;
  }
  throw new Error('the socket took everything');
}

async function head(): Promise<number> {
  const [row] = await setting.owner.sql<{ g: string }[]>`select g from stream_head`;
  return Number(row?.g);
}

function gs(messages: unknown[]): number[] {
  type Message = { result?: { data?: { data: { events: { g: number }[] } } } };
  // Reads our own frames back.
  return (messages as Message[]).flatMap(({ result }) => result?.data?.data.events.map(({ g }) => g) ?? []);
}

describe('the LISTEN connection', () => {
  test('live/R2 is replaced when it hears nothing, though it looks open', async () => {
    const url = new URL(setting.database.appUrl);
    const proxy = await startTcpProxy(() => Number(url.port));
    const through = new URL(url);
    through.port = String(proxy.port);
    let heard = 0;
    /** A clock that stands still until the connection is silent, so that a busy machine does not cause a replacement. */
    let nowMs = 0;
    const warnings: string[] = [];
    const listener = createListener({
      databaseUrl: through.href,
      publish: (channel, payload) => setting.owner.sql`select pg_notify(${channel}, ${payload})`,
      onNotify: () => {
        heard += 1;
      },
      onNote: () => undefined,
      log: { warn: (...said: unknown[]) => void warnings.push(String(said.at(-1))) },
      monotonicMs: () => nowMs,
      beatMs: 100,
    });
    listener.start();
    await expect.poll(() => heard).toBe(1);
    await setting.owner.sql`select pg_notify('lintel', '')`;
    await expect.poll(() => heard).toBe(2);
    // The connection stays open and becomes silent.
    proxy.blackhole(true);
    await expect
      .poll(() => {
        nowMs += 1_000;
        return warnings;
      })
      .toContain('the LISTEN connection is replaced');
    proxy.blackhole(false);
    await expect.poll(() => heard).toBeGreaterThan(2);
    const before = heard;
    await setting.owner.sql`select pg_notify('lintel', '')`;
    await expect.poll(() => heard).toBeGreaterThan(before);
    await listener.stop();
    await proxy.close();
  });
});
