import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPosition, parsePosition } from '#shared/live/live.ts';
import { EXPECTATIONS } from '#tests/support/expectations/expectations.ts';
import { pause, until } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { openStream } from '../../support/live/live-client.ts';
import { headersFor } from '../../support/server/client.ts';
import { createLargestData, type LargestData } from '../data/largest-data.ts';
import { largestInput } from '../data/largest-inputs.ts';
import { writeFiles } from '../data/largest-parts.ts';
import { LARGEST_REQUESTS, send } from '../data/largest-requests.ts';
import { type Figure, median, round } from '../figure.ts';
import { type BuiltServer, startBuilt } from '../processes/built-server.ts';
import type { Setting } from '../setting.ts';

/** The longest time that the server may work at a stretch, without serving anything else. */
const AT_MOST_MS = 20;
/**
 * Each call is made three times, and the median counts: the first call compiles code that later ones use, and one of the
 * three may be disturbed by other work of the machine. A delay that occurs every time is in at least two of them.
 */
const CALLS = 3;
/** This number of administrators call in turn, so that no limit per person interferes. */
const CALLERS = 40;
const SHOWN = 10;
/** Time after the answer of a command in which its events are sequenced and sent. */
const SETTLES_MS = 60;
const LISTENERS = 10;
/** Inputs with fewer characters are sent in the address. */
const IN_ADDRESS = 1_500;
/** Number of events that a client missed. */
const REPLAYED = 20_000;

type Call = {
  name: string;
  prepare?(n: number): Promise<unknown>;
  send(n: number, prepared: unknown): Promise<Response>;
};
type Stretch = { ms: number; collected: number; waited: number };

/**
 * The longest synchronous stretch of every procedure and route, in the packaged server with the largest data that the
 * product allows. `BENCH_ONLY` is a regular expression for their names, and `BENCH_PROFILES` a folder for a profile of
 * each call that is over the bound.
 */
export async function stalls(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('stalls');
  setting.log('filling');
  const data = await withLogin(database.ownerUrl, (sql) =>
    createLargestData(sql, { administrators: CALLERS + CALLS }),
  );
  const server = await startBuilt(setting, database, {
    before: new URL('../processes/loop-watch.mjs', import.meta.url),
  });
  await writeFiles(server.dataDir, data.photoId);
  const streams = data.admins.slice(0, LISTENERS).map(({ cookie }) => openStream(server.url, cookie));
  for (const stream of streams) setting.after(() => stream.close());
  await until('they listen', 30_000, () => streams.every(({ frames }) => frames.length > 0));
  const position = parsePosition(streams[0]?.position());
  if (position === undefined) throw new Error('a frame has no position');
  const from = formatPosition({ epoch: position.epoch, g: Math.max(1, position.g - REPLAYED) });
  const only = new RegExp(process.env['BENCH_ONLY'] ?? '');
  const calls = [...callsOfProcedures(server, data, from), ...callsOfRoutes(server, data)].filter(
    ({ name }) => only.test(name),
  );
  const found = new Map<string, Stretch[]>();
  const statuses = new Map<string, number[]>();
  await pause(2_000);
  for (let n = 0; n < CALLS; n += 1) {
    for (const call of calls) {
      const { stretch, status } = await measure(server, call, n);
      found.set(call.name, [...(found.get(call.name) ?? []), stretch]);
      statuses.set(call.name, [...(statuses.get(call.name) ?? []), status]);
      if (stretch.ms > AT_MOST_MS)
        setting.log(`${call.name}, call ${n + 1}: ${describe(stretch)}, ${status}`);
    }
  }
  const figures = calls.map(({ name }) => figureOf(name, found.get(name) ?? [], statuses.get(name) ?? []));
  figures.sort((a, b) => b.value - a.value);
  for (const [name, all] of statuses) {
    if (!all.some((status) => status < 400)) setting.log(`${name} answered ${all.join(', ')}`);
  }
  const over = figures.filter(({ value }) => value > AT_MOST_MS);
  await profile(
    server,
    calls.filter(({ name }) => over.some((figure) => figure.name === `stretch of ${name}`)),
  );
  return figures.slice(0, Math.max(SHOWN, over.length));
}

function figureOf(name: string, stretches: readonly Stretch[], statuses: readonly number[]): Figure {
  const sorted = [...stretches].sort((a, b) => a.ms - b.ms);
  const worst = sorted.at(-1);
  return {
    name: `stretch of ${name}`,
    measured: `the middle one of ${stretches.map(({ ms }) => round(ms)).join(', ')} ms`,
    reference:
      worst === undefined ? '–' : `worst with ${round(worst.collected)} ms of garbage collection beside`,
    value: median(stretches.map(({ ms }) => ms)),
    unit: 'ms',
    goal: { atMost: AT_MOST_MS },
    note: `answered ${statuses.join(', ')}`,
  };
}

async function measure(
  server: BuiltServer,
  call: Call,
  n: number,
): Promise<{ stretch: Stretch; status: number }> {
  const prepared = await call.prepare?.(n);
  await server.ask('begin');
  const answer = await call.send(n, prepared);
  await drain(answer);
  await pause(SETTLES_MS);
  // The cast: the answer of `loop-watch.mjs`.
  const stretch = (await server.ask('end')) as Stretch;
  return { stretch, status: answer.status };
}

/** Reads an answer as it arrives, so that the server does not have to wait for the caller. */
async function drain(answer: Response): Promise<void> {
  for await (const _ of answer.body ?? []);
}

function describe({ ms, collected, waited }: Stretch): string {
  return `${round(ms)} ms, beside ${round(collected)} of garbage collection and ${round(waited)} without a processor`;
}

async function profile(server: BuiltServer, calls: readonly Call[]): Promise<void> {
  const folder = process.env['BENCH_PROFILES'];
  if (folder === undefined) return;
  for (const call of calls) {
    const prepared = await call.prepare?.(CALLS);
    await server.ask('profile');
    await drain(await call.send(CALLS, prepared));
    await pause(SETTLES_MS);
    const profiled = await server.ask('profiled');
    await writeFile(join(folder, `${call.name.replace(/\W+/g, '-')}.cpuprofile`), JSON.stringify(profiled));
  }
}

/** The calls of all procedures in the order of the table, each by the next administrator, to stay within all limits. */
function callsOfProcedures(server: BuiltServer, data: LargestData, from: string): Call[] {
  let made = 0;
  const nextCookie = () => {
    made += 1;
    return data.admins[made % CALLERS]?.cookie ?? '';
  };
  return Object.entries(EXPECTATIONS).flatMap(([path, row]) => {
    if (row.kind === 'subscription') return [streamCall(server, path, { from, nextCookie })];
    const sendCall = (n: number) => {
      const input = JSON.stringify(largestInput(path, data, n));
      const forDisplay = row.needs === 'display';
      const headers = forDisplay
        ? { ...headersFor(server.url, data.displays.cookie), 'x-display': '1' }
        : headersFor(
            server.url,
            // A separate administrator, because signing out ends the session.
            path === 'session.signOut' ? data.admins[CALLERS + n]?.cookie : nextCookie(),
          );
      // As pages do (`web/lib/trpc/trpc-links.ts`): a query whose input is too long for an address is posted.
      const inAddress = row.kind === 'query' && (input === undefined || input.length < IN_ADDRESS);
      const query = inAddress && input !== undefined ? `?input=${encodeURIComponent(input)}` : '';
      return fetch(`${server.url}/trpc/${path}${query}`, {
        method: inAddress ? 'GET' : 'POST',
        headers: {
          ...headers,
          'accept-encoding': 'gzip, deflate, br',
          ...(inAddress ? {} : { 'content-type': 'application/json' }),
        },
        ...(inAddress || input === undefined ? {} : { body: input }),
      });
    };
    return [{ name: path, send: sendCall }];
  });
}

/** Resumes the live stream from an old position. */
function streamCall(
  server: BuiltServer,
  name: string,
  { from, nextCookie }: { from: string; nextCookie: () => string },
): Call {
  return {
    name,
    async send() {
      const stream = openStream(server.url, nextCookie(), { lastEventId: from });
      await pause(1_500);
      await stream.close();
      return new Response();
    },
  };
}

function callsOfRoutes(server: BuiltServer, data: LargestData): Call[] {
  let made = 0;
  return Object.values(LARGEST_REQUESTS)
    .flat()
    .map((request) => {
      const asking = () => ({ url: server.url, cookie: data.admins[made % CALLERS]?.cookie ?? '', data });
      return {
        name: request.name,
        async prepare(n: number) {
          made += 1;
          return request.prepare?.(asking(), n);
        },
        send: (n: number, prepared: unknown) => send(asking(), request, { n, prepared }),
      };
    });
}
