import { WebSocket } from 'ws';
import type { TellPresenceInput } from '#shared/features/presence/presence.ts';
import { PRESENCE_PARTS } from '#shared/features/presence/presence.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { LiveFrame } from '#shared/live/live.ts';
import { pause } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import {
  createBuildings,
  createIssueRows,
  createPeople,
  type Person,
} from '#tests/support/rows/population.ts';
import { createTestClient } from '../../support/server/client.ts';
import { type Figure, percentile, round } from '../figure.ts';
import { cpuOf } from '../proc-stat.ts';
import { startBuilt } from '../processes/built-server.ts';
import type { Setting } from '../setting.ts';

const PEOPLE = 200;
const ISSUES = 20;
/** Number of people of another building, who must receive nothing. */
const ELSEWHERE = 50;
const SECONDS = 8;
/** Interval at which each person changes something: opens a field, leaves it, goes to another issue. */
const STEP_MS = 4_000;
/** Interval at which each window repeats its place. */
const REPEAT_MS = 20_000;
const AT_ONCE = 10;

type Listener = { frames: number; bytes: number; presence: number };
type Load = { frames: number; bytes: number; cpuMs: number };

/**
 * Two hundred people at twenty issues of one building, who join, edit and leave: the traffic that each of them receives,
 * the processor time of the packaged server, and the delay of a change; compared with the same people connected but idle.
 */
export async function presence(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('presence');
  const { people, others, issues } = await withLogin(database.ownerUrl, async (sql) => {
    const [here, there] = await createBuildings(sql, 2);
    if (here === undefined || there === undefined) throw new Error('no buildings');
    const managers = (count: number, buildings: string[]) =>
      createPeople(
        sql,
        Array.from({ length: count }, () => ({ role: 'manager' as const, buildings })),
      );
    return {
      people: await managers(PEOPLE, [here.id]),
      others: await managers(ELSEWHERE, [there.id]),
      issues: await createIssueRows(sql, here, ISSUES),
    };
  });
  const { url, pid } = await startBuilt(setting, database);

  /** The time at which a window reported its place, by person, place and part. */
  const toldAt = new Map<string, number>();
  const delays: number[] = [];
  function observe({ present }: LiveFrame): void {
    for (const { id, person, part, here } of present?.people ?? []) {
      const at = here ? toldAt.get(`${person.id} ${id} ${part}`) : undefined;
      if (at !== undefined) delays.push(performance.now() - at);
    }
  }
  const windows = people.map((person) => ({ person, window: uuidv7(), n: 0 }));
  const inside: Listener[] = [];
  for (const [index, { person, window }] of windows.entries())
    inside.push(await listen(setting, url, person, window, index === 0 ? observe : undefined));
  const outside: Listener[] = [];
  for (const person of others) outside.push(await listen(setting, url, person, uuidv7()));

  const clients = windows.map(({ person }) => createTestClient(url, person.cookie));
  async function tell(index: number, at: TellPresenceInput['at']): Promise<void> {
    const own = windows[index];
    if (own === undefined) return;
    own.n += 1;
    if (at !== null) {
      const part = 'part' in at ? at.part : undefined;
      toldAt.set(`${own.person.id} ${at.id} ${part ?? null}`, performance.now());
    }
    await clients[index]?.presence.tell.mutate({ window: own.window, n: own.n, at });
  }

  async function measured(name: string, work: () => Promise<unknown>): Promise<Load> {
    const counted = () => ({
      frames: inside.reduce((sum, { frames }) => sum + frames, 0),
      bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
      cpuMs: cpuOf(pid),
    });
    const [before, start] = [counted(), performance.now()];
    await work();
    const seconds = (performance.now() - start) / 1_000;
    const after = counted();
    const load = {
      frames: (after.frames - before.frames) / PEOPLE / seconds,
      bytes: (after.bytes - before.bytes) / PEOPLE / seconds,
      cpuMs: (after.cpuMs - before.cpuMs) / seconds,
    };
    setting.log(
      `${name}: ${round(load.frames)} frames/s and ${round(load.bytes / 1_024)} KiB/s to each, ${round(load.cpuMs)} ms/s`,
    );
    return load;
  }

  const placeOf = (index: number, move = 0) =>
    ({ kind: 'issue', id: issues[(index + move) % ISSUES] ?? '' }) as const;
  const quiet = await measured('connected', () => pause(SECONDS * 1_000));
  for (let from = 0; from < PEOPLE; from += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => tell(from + n, placeOf(from + n))));
  const present = await measured('present', () => inTurn(REPEAT_MS, (index) => tell(index, placeOf(index))));
  delays.length = 0;
  const working = await measured('working', () =>
    inTurn(STEP_MS, (index, turn) => {
      const place = placeOf(index, Math.floor(turn / 3));
      const part = PRESENCE_PARTS.issue[(index + turn) % PRESENCE_PARTS.issue.length];
      return tell(index, turn % 3 === 1 && part !== undefined ? { ...place, part } : place);
    }),
  );
  for (let from = 0; from < PEOPLE; from += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => tell(from + n, null)));

  const heard = outside.reduce((sum, one) => sum + one.presence, 0);
  if (heard > 0) throw new Error(`people without the building received ${heard} frames of presence`);
  if (inside.some((one) => one.presence === 0)) throw new Error('a person of the building was told nothing');
  const reference = `connected and still: ${round(quiet.frames)} frames/s, ${round(quiet.bytes / 1_024)} KiB/s, ${round(quiet.cpuMs)} ms/s`;
  const described = `${PEOPLE} people at ${ISSUES} issues, each a change every ${STEP_MS / 1_000} s`;
  return [
    {
      name: 'presence, frames to each person',
      measured: `${round(working.frames)} frames/s, ${round(working.bytes / 1_024)} KiB/s; ${described}`,
      reference,
      value: working.frames,
      unit: 'frames/s',
      goal: { atMost: 5.5 },
      note: `present and repeating only: ${round(present.frames)} frames/s, ${round(present.cpuMs)} ms/s. ${ELSEWHERE} people without the building received none.`,
    },
    {
      name: 'presence, processor time of the server',
      measured: `${round(working.cpuMs)} ms/s, of which the calls are a part; ${described}`,
      reference,
      value: working.cpuMs,
      unit: 'ms/s',
    },
    {
      name: 'presence, from the call to the frame',
      measured: `p50 ${round(percentile(delays, 0.5))} ms, p95 ${round(percentile(delays, 0.95))} ms of ${delays.length}`,
      reference: described,
      value: percentile(delays, 0.95),
      unit: 'ms p95',
      goal: { atMost: 1_000 },
    },
  ];
}

/** For some seconds each person acts once per interval, evenly spread. */
async function inTurn(everyMs: number, act: (index: number, turn: number) => Promise<void>): Promise<void> {
  const calls: Promise<void>[] = [];
  const start = performance.now();
  const count = Math.floor((SECONDS * 1_000 * PEOPLE) / everyMs);
  for (let n = 0; n < count; n += 1) {
    await pause(Math.max(0, start + (n * everyMs) / PEOPLE - performance.now()));
    calls.push(act(n % PEOPLE, 1 + Math.floor(n / PEOPLE)));
  }
  await Promise.all(calls);
  await pause(Math.max(0, start + SECONDS * 1_000 - performance.now()));
}

/** Subscribes in the wire format, to use as little processor time as possible. */
function listen(
  setting: Setting,
  url: string,
  { cookie }: Person,
  window: string,
  observe?: (frame: LiveFrame) => void,
): Promise<Listener> {
  const listener: Listener = { frames: 0, bytes: 0, presence: 0 };
  const headers = { cookie, origin: url };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/trpc`, { perMessageDeflate: false, headers });
  setting.after(async () => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      const params = { path: 'live.stream', input: { window } };
      socket.send(JSON.stringify({ id: 1, method: 'subscription', params }));
    });
    socket.on('message', (data: Buffer) => {
      if (data.indexOf('"type":"data"') === -1) return;
      listener.frames += 1;
      listener.bytes += data.length;
      if (data.indexOf('"present":') !== -1) {
        listener.presence += 1;
        // The cast: a frame of our own server.
        observe?.(
          (JSON.parse(data.toString()) as { result: { data: { data: LiveFrame } } }).result.data.data,
        );
      }
      resolve(listener);
    });
  });
}
