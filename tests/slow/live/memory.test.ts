import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallPlaces, createListeners, populateForCalls } from '#tests/bench/data/call-population.ts';
import { callForADay } from '#tests/bench/day.ts';
import type { CallerHandlers } from '#tests/bench/processes/caller.ts';
import type { LintelHandlers } from '#tests/bench/processes/lintel-server.ts';
import type { SubscriberHandlers } from '#tests/bench/processes/subscribers.ts';
import { type OwnPostgres, startOwnPostgres } from '#tests/support/postgres/own-postgres.ts';
import { type Child, startChild } from '#tests/support/server/child.ts';
import { headersFor } from '#tests/support/server/client.ts';

const REFUSALS = 500;
/** Number of windows that are opened and closed again. */
const SOCKETS = 500;
/** Small enough to be full after the first hours, so that the ring does not grow during the rest of the day. */
const RING = 500;
const HOURS = 0.3;
const MAY_GROW = 1.1;

let postgres: OwnPostgres;
let places: CallPlaces;
let listeners: string[];
let server: Child<LintelHandlers> & { url: string };
let caller: Child<CallerHandlers>;
let windows: Child<SubscriberHandlers>;

beforeAll(async () => {
  postgres = await startOwnPostgres({ sync: false });
  const database = await postgres.create('memory');
  places = await populateForCalls(database);
  listeners = await createListeners(database, places, SOCKETS / 10);
  const child = startChild<LintelHandlers>(
    new URL('../../bench/processes/lintel-server.ts', import.meta.url),
    {
      nodeArgs: ['--expose-gc'],
    },
  );
  const url = await child.ask('listen', { databaseUrl: database.appUrl, port: 0, ringCapacity: RING });
  server = { ...child, url };
  caller = startChild<CallerHandlers>(new URL('../../bench/processes/caller.ts', import.meta.url));
  await caller.ask('prepare', places);
  windows = startChild<SubscriberHandlers>(new URL('../../bench/processes/subscribers.ts', import.meta.url));
}, 120_000);
afterAll(async () => {
  for (const child of [caller, windows, server]) await child?.kill();
  await postgres?.stop();
});

async function live(share: number): Promise<void> {
  const { url } = server;
  const group = 'windows';
  await windows.ask('connect', {
    group,
    url: `${url.replace('http', 'ws')}/trpc`,
    origin: url,
    watch: false,
    sendsAtOnce: true,
    cookies: Array.from({ length: SOCKETS * share }, (_, n) => listeners[n % listeners.length] ?? ''),
    atOnce: 20,
  });
  await callForADay(caller, url, share);
  await windows.ask('close', { group });
  const input = encodeURIComponent(JSON.stringify({ id: '018f0000-0000-7000-8000-000000000000' }));
  for (let n = 0; n < REFUSALS * share; n += 1) {
    const headers = headersFor(url, places.cookies[n % places.cookies.length]);
    const refused = await fetch(`${url}/trpc/issues.get?input=${input}`, { headers });
    expect(refused.status).toBe(404);
    await refused.arrayBuffer();
  }
}

test('a day ends with the memory with which it began', { timeout: 600_000 }, async () => {
  // Code is compiled and the ring is filled in the first hours.
  await live(HOURS);
  const began = await server.ask('memory', undefined);
  await live(1);
  const ended = await server.ask('memory', undefined);
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  expect(ended / began, `${mebibytes(began)} MiB became ${mebibytes(ended)}`).toBeLessThan(MAY_GROW);
});
