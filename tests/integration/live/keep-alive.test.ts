import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { readSessions } from '#server/boot/live-service.ts';
import { encodeTail } from '#server/live/frames.ts';
import type { StreamClient } from '#tests/support/live/live-client.ts';
import { createLiveSetting, expectNoGap, type LiveSetting, tell } from '#tests/support/live/live-setting.ts';

let setting: LiveSetting;
/** Text of an event for which encoding the frame fails once. */
let poison: string | undefined;
const PONG_MS = 300;
/** The window among ten that answers no ping. */
const SILENT = 4;
const opened: WebSocket[] = [];

beforeAll(async () => {
  setting = await createLiveSetting({
    liveParts: {
      pongMs: PONG_MS,
      // So that only the limit on a person's windows closes one, and not the regular pings.
      pingEveryMs: 3_600_000,
      encodeTail(parts) {
        if (poison !== undefined && parts.events.some(({ text }) => text.includes(poison ?? ''))) {
          poison = undefined;
          throw new Error('a frame that cannot be made');
        }
        return encodeTail(parts);
      },
    },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const ws of opened.splice(0)) ws.terminate();
  await setting.closeStreams();
});
afterAll(() => setting.end());

/**
 * Opens a window's socket.
 * @param autoPong false simulates a window whose network is gone without closing the connection
 */
async function windowOf(cookie: string, autoPong: boolean) {
  const url = `${setting.server.url.replace('http', 'ws')}/trpc`;
  const ws = new WebSocket(url, { autoPong, headers: { cookie, origin: setting.server.url } });
  opened.push(ws);
  const state = { closed: 0, pinged: 0 };
  ws.on('error', () => undefined);
  ws.on('close', (code) => {
    state.closed = code;
  });
  ws.on('ping', () => {
    state.pinged += 1;
  });
  await new Promise((resolve) => ws.once('open', resolve));
  return state;
}
/** Returns whether one more window is accepted: a refused socket is closed at once, an accepted one answers a ping. */
async function getsIn(cookie: string): Promise<boolean> {
  const state = await windowOf(cookie, true);
  const ws = opened.at(-1);
  let answered = false;
  ws?.on('message', () => {
    answered = true;
  });
  ws?.send('PING');
  await expect.poll(() => answered || state.closed > 0).toBe(true);
  return state.closed === 0;
}

/** Resolves once the server has received everything that a window has sent. */
async function isHeard(ws: WebSocket): Promise<void> {
  const answered = new Promise((resolve) => ws.once('message', resolve));
  ws.send('PING');
  await answered;
}

describe('ten windows of one person', () => {
  test('live/T7 the one that has missed a ping gives way to an eleventh', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    // So that no answer of the other nine is late because the machine is slow.
    vi.useFakeTimers({ toFake: ['performance'] });
    const windows: { closed: number; pinged: number }[] = [];
    for (let n = 0; n < 10; n += 1) windows.push(await windowOf(viewer.cookie, n !== SILENT));
    expect(await getsIn(viewer.cookie)).toBe(false);
    await expect.poll(() => windows.every(({ pinged }) => pinged > 0)).toBe(true);
    // Anything that a window sends counts as its answer.
    await Promise.all(opened.slice(0, 10).flatMap((ws, n) => (n === SILENT ? [] : isHeard(ws))));
    vi.advanceTimersByTime(PONG_MS);
    expect(await getsIn(viewer.cookie)).toBe(true);
    const givenWay = () => windows.flatMap(({ closed }, n) => (closed > 0 ? n : []));
    await expect.poll(givenWay).toEqual([SILENT]);
  });

  test('live/T7 that are being closed without an answer keep no other out', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    for (let n = 0; n < 10; n += 1) {
      await windowOf(viewer.cookie, false);
      opened.at(-1)?.pause();
    }
    await tell(setting, ({ recordSessionsEnded }) => recordSessionsEnded(viewer.id, 'all'));
    const told = await setting.followed(setting.admin.cookie);
    await setting.report(setting.here);
    await expect.poll(() => told.events.length).toBeGreaterThan(0);
    // The server has asked all these sockets to close, and none has confirmed the closing.
    expect(opened.map(({ readyState }) => readyState)).toEqual(Array(10).fill(WebSocket.OPEN));
    expect(await getsIn(viewer.cookie)).toBe(true);
  });

  test('live/T7 that all answer keep an eleventh out, and stay', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    // So that no answer is late because the machine is slow.
    vi.useFakeTimers({ toFake: ['performance'] });
    const windows: { closed: number; pinged: number }[] = [];
    for (let n = 0; n < 10; n += 1) windows.push(await windowOf(viewer.cookie, true));
    for (let n = 0; n < 3; n += 1) {
      expect(await getsIn(viewer.cookie)).toBe(false);
      await expect.poll(() => windows.every(({ pinged }) => pinged > n)).toBe(true);
      await Promise.all(opened.slice(0, 10).map(isHeard));
      vi.advanceTimersByTime(PONG_MS);
    }
    expect(windows.filter(({ closed }) => closed > 0)).toEqual([]);
  });
});

test('live/R1 a frame that cannot be made loses no change: all clients come back to where they were', async () => {
  const { here } = setting;
  const people = await Promise.all([setting.someone('viewer', [here]), setting.someone('manager', [here])]);
  const streams = await Promise.all(people.map(({ cookie }) => setting.followed(cookie)));
  // Without the events of the building's figures, which follow from each issue.
  const issuesOf = ({ events }: StreamClient) =>
    events.filter(({ entity }) => entity === 'issue').map(({ entityId }) => entityId);
  const first = await setting.report(here);
  for (const stream of streams) await expect.poll(() => issuesOf(stream)).toEqual([first]);
  poison = 'Poisoned';
  const missed = await setting.report(here, 'Poisoned');
  const later = await setting.report(here);
  for (const stream of streams) {
    await expect.poll(() => issuesOf(stream)).toEqual([first, missed, later]);
    expect(stream.closes).toContain(1013);
    expectNoGap(stream);
  }
});

test('live/R3 more sessions than a statement takes parameters are looked for', async () => {
  const viewer = await setting.someone('viewer');
  const { sessions } = setting.server.services;
  const id = (await sessions.validate(viewer.cookie.split('=')[1] ?? ''))?.sessionId ?? '';
  const others = Array.from({ length: 70_000 }, (_, n) => n.toString(16).padStart(64, '0'));
  const found = await readSessions(setting.server.services, [...others, id]);
  expect([...found.keys()]).toEqual([id]);
});
