import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readActor } from '#server/access/actor.ts';
import { appRouter } from '#server/boot/router.ts';
import { type RunningServer, startServer } from '#server/boot/start-server.ts';
import { readEnv } from '#server/kernel/env.ts';
import { uuidv7 } from '#shared/ids.ts';
import { atRate, pause } from '#tests/support/pace.ts';
import { cpuMicros, type Handlers, serve, sharedClock } from '#tests/support/server/child.ts';

// The whole server in a process of its own, as `npm start` would run it on a given database.

let server: RunningServer | undefined;
/** Delay of the event loop; any delay above the resolution held up all callers. */
const loop = monitorEventLoopDelay({ resolution: 5 });
let most = 0;
let watch: NodeJS.Timeout | undefined;
/** Titles written by this process, so that the next change of a row knows the old value. */
const titles = new Map<string, string>();

const handlers = {
  /** @param input.ringCapacity number of events in the ring; as usual if absent */
  async listen(input: { databaseUrl: string; port: number; ringCapacity?: number }): Promise<string> {
    const env = readEnv({
      DATABASE_URL: input.databaseUrl,
      PORT: String(input.port),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'lintel-bench-')),
      LOG_LEVEL: process.env['BENCH_LOG'] ?? 'fatal',
    });
    server = await startServer(env, input.databaseUrl, {
      // Without limits, because the work is measured and not the throttling of a single caller.
      limits: { person: { burst: 1e9, perSecond: 1e9 }, anonymous: { burst: 1e9, perSecond: 1e9 } },
      ...(input.ringCapacity === undefined ? {} : { liveParts: { ringCapacity: input.ringCapacity } }),
    });
    return server.url;
  },
  cpu: cpuMicros,
  watchLoop(): void {
    most = 0;
    watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().heapUsed);
    }, 20);
    loop.reset();
    loop.enable();
  },
  /**
   * The longest delay of the event loop since `watchLoop` and its 99th percentile, in milliseconds, and the largest
   * heap seen, in bytes.
   */
  loopHeld(): { max: number; p99: number; heap: number } {
    loop.disable();
    clearInterval(watch);
    return { max: loop.max / 1e6, p99: loop.percentile(99) / 1e6, heap: most };
  },
  /** Bytes on the heap after garbage collection. Needs `--expose-gc`. */
  async heap(): Promise<number> {
    for (let pass = 0; pass < 4; pass += 1) {
      globalThis.gc?.();
      await pause(50);
    }
    return process.memoryUsage().heapUsed;
  },
  /** Like `heap`, with the buffers outside the heap. */
  async memory(): Promise<number> {
    await handlers.heap();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  },
  /**
   * Makes real changes at a rate as the person of the cookie, inside this process, because only here the moment of the
   * commit is known. Returns it for each operation.
   */
  write: (input: Writes) => write(input, 'committed'),
  /** Like `write`, with the moment at which each change was requested. */
  writeTimed: (input: Writes) => write(input, 'asked'),
  async stop(): Promise<void> {
    await server?.stop();
  },
} satisfies Handlers;
export type LintelHandlers = typeof handlers;

type Writes = { cookie: string; rows: string[]; perSecond: number; seconds: number };

async function write(input: Writes, moment: 'asked' | 'committed'): Promise<[string, number][]> {
  const services = server?.services;
  const actor = services && (await readActor(services, input.cookie.replace('sid=', '')));
  if (services === undefined || actor === undefined) throw new Error('no server, or no person signed in');
  const moments: [string, number][] = [];
  let written = 0;
  await atRate(input.perSecond, input.seconds, async () => {
    const operationId = uuidv7();
    const id = input.rows[written % input.rows.length] ?? '';
    written += 1;
    if (moment === 'asked') moments.push([operationId, sharedClock()]);
    // Called right after the commit of this operation.
    const poke = () => {
      if (moment === 'committed') moments.push([operationId, sharedClock()]);
      services.sequencer.schedule();
    };
    const caller = appRouter.createCaller({
      services: { ...services, sequencer: { ...services.sequencer, schedule: poke } },
      actor,
      requestId: operationId,
      address: '127.0.0.1',
      userAgent: 'bench',
      setCookie: () => undefined,
    });
    const from = titles.get(id) ?? (await caller.issues.get({ id })).data.title;
    const to = `Lamp ${operationId} is out in the corridor`;
    titles.set(id, to);
    await caller.issues.update({ operationId, id, changes: { title: { from, to } } });
  });
  return moments;
}

serve(handlers);
