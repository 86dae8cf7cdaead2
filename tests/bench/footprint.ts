import { pause } from '#tests/support/pace.ts';
import type { OwnDatabase } from '#tests/support/postgres/own-postgres.ts';
import type { Child } from '#tests/support/server/child.ts';
import { memoryAfterCollection } from '#tests/support/server/inspector.ts';
import { type CallPlaces, createListeners } from './data/call-population.ts';
import { callForADay } from './day.ts';
import { type Figure, median, round } from './figure.ts';
import { hasProcStat, residentMiB } from './proc-stat.ts';
import { type BuiltServer, startBuilt } from './processes/built-server.ts';
import type { CallerHandlers } from './processes/caller.ts';
import { type Setting, startSubscribers } from './setting.ts';

const STARTS = 3;
const SOCKETS = 1_000;
/** The number of sockets that a person may have open. */
const SOCKETS_OF_A_PERSON = 10;
const SAVES = 10_000;
/** Resident memory depends on when garbage was last collected, so it is read several times and the median counts. */
const LOOKS = 5;
const SAVERS = 32;
/** Pause until the server's own work is done, for example after its start. */
const CALM_MS = 3_000;

/** How long the packaged server takes to start on a database with data, and its memory. */
export async function footprint(
  setting: Setting,
  database: OwnDatabase,
  places: CallPlaces,
  caller: Child<CallerHandlers>,
): Promise<Figure[]> {
  const listeners = await createListeners(database, places, SOCKETS / SOCKETS_OF_A_PERSON);
  const startMs: number[] = [];
  let server: BuiltServer | undefined;
  let idleHeap = Number.NaN;
  while (startMs.length < STARTS) {
    // Measured on a server that is stopped next, because the garbage collection changes resident memory.
    if (server !== undefined) idleHeap = await heapMiB(server);
    await server?.stop();
    server = await startBuilt(setting, database);
    startMs.push(server.startMs);
  }
  const start: Figure = {
    name: 'start of the packaged server on a database with data',
    measured: `${round(median(startMs) / 1_000)} s until it is ready, of ${STARTS} starts`,
    reference: `${round(Math.min(...startMs) / 1_000)} s the fastest`,
    value: median(startMs) / 1_000,
    unit: 's',
    goal: { atMost: 2 },
  };
  if (server === undefined || !hasProcStat) return [start];
  const { pid, url } = server;
  await pause(CALM_MS);
  const idle = residentMiB(pid);
  const subscribers = startSubscribers(setting, 2);
  const cookies = listeners.flatMap((cookie) => Array.from({ length: SOCKETS_OF_A_PERSON }, () => cookie));
  await subscribers.connect('memory', { url: `${url.replace('http', 'ws')}/trpc`, origin: url, cookies });
  await pause(CALM_MS);
  const withSockets = residentMiB(pid);
  await subscribers.close('memory');
  const saved: number[] = [];
  const perSecond: number[] = [];
  while (saved.length < LOOKS) {
    const ran = await caller.ask('run', {
      url,
      call: 'comment',
      callers: SAVERS,
      until: { calls: SAVES / LOOKS },
    });
    perSecond.push(ran.perSecond);
    saved.push(residentMiB(pid));
  }
  await pause(CALM_MS);
  const later = residentMiB(pid);
  const savedHeap = await heapMiB(server);
  // The saves filled the ring with comments alone; after a day it contains the usual mix of events.
  await callForADay(caller, url);
  const began = await heapMiB(server);
  await callForADay(caller, url);
  const ended = await heapMiB(server);
  const memory = (name: string, value: number, atMost: number, note?: string): Figure => ({
    name: `memory of the packaged server, ${name}`,
    measured: `${round(value)} MiB resident`,
    reference: `${round(idle)} MiB idle`,
    value,
    unit: 'MiB',
    goal: { atMost },
    note,
  });
  return [
    start,
    memory('idle', idle, 180),
    memory(`with ${SOCKETS.toLocaleString('en')} sockets`, withSockets, 320),
    memory(
      `while ${SAVES.toLocaleString('en')} comments are saved`,
      median(saved),
      320,
      `median of ${LOOKS} looks, ${round(Math.min(...saved))} to ${round(Math.max(...saved))}; ${round(later)} MiB ${CALM_MS / 1_000} s later; ${round(median(perSecond))} comments a second by ${SAVERS} callers`,
    ),
    heap('idle', idleHeap, 90),
    heap(`after ${SAVES.toLocaleString('en')} saves`, savedHeap, 150),
    {
      name: 'heap of the packaged server after garbage collection, after a second day of calls',
      measured: `${round(ended)} MiB`,
      reference: `${round(began)} MiB after the first`,
      value: ended / began,
      unit: '×',
      goal: { atMost: 1.1 },
    },
  ];
}

function heap(name: string, value: number, atMost: number): Figure {
  return {
    name: `heap of the packaged server after garbage collection, ${name}`,
    measured: `${round(value)} MiB`,
    reference: '',
    value,
    unit: 'MiB',
    goal: { atMost },
  };
}

async function heapMiB({ inspect }: BuiltServer): Promise<number> {
  return (await memoryAfterCollection(await inspect())).heapUsed / 2 ** 20;
}
