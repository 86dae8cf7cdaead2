import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { LiveFrame, LivePosition } from '#shared/live/live.ts';
import { createLiveClient } from '#web/live/client.ts';
import { liveQueryOptions } from '#web/live/query-options.ts';
import type { LiveClientParts } from '#web/live/stream/client-options.ts';
import type { LiveQuery } from '#web/live/types.ts';
import { asLiveRow, type SimUpdate, SimulatedServer, simulatedQueries } from './simulated-live.ts';

type Frames = { position: LivePosition; frame: LiveFrame }[];
type Held<T> = {
  read: () => T;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
  served?: { value: T };
};

/** Runs all work that waits only for the event loop. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 4; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The real client modules against a simulated server. Frames, answers and flushes happen when the test triggers them. */
export function createWorld(parts: LiveClientParts = {}) {
  const server = new SimulatedServer();
  const reads: Held<unknown>[] = [];
  const writes: Held<{ id: string; version: number }>[] = [];
  const outcomes: Promise<{ operationId: string; ok: boolean }>[] = [];
  let automatic = true;
  let running = false;
  let wire: { resume: (lag?: number, piece?: number) => void; deliver: (frames: Frames) => void } | undefined;
  let lastFrames: Frames = [];

  function ask<T>(read: () => T): Promise<T> {
    if (automatic) return Promise.resolve().then(read);
    return new Promise<T>((resolve, reject) => {
      // The cast: each held request is resolved with the result of its own `read`.
      reads.push({ read, resolve, reject } as Held<unknown>);
    });
  }
  const queries = simulatedQueries(server, ask);

  const client = createLiveClient({
    url: '',
    queryClient: new QueryClient(),
    queries: [queries.list, queries.counts, queries.one],
    askScope: () => ask(() => server.scope()),
    isOnline: () => true,
    parts: {
      schedule: () => () => undefined,
      snapshotPause: () => 0,
      backoff: () => 0,
      resetPaceMs: 0,
      bulkPaceMs: 0,
      stream: (given) => {
        const resume = (lag?: number, piece?: number) => {
          if (!running || !client.scope) return;
          given.onConnection(true);
          deliver(server.resume(given.cursor(), lag, piece));
        };
        const deliver = (frames: Frames) => {
          lastFrames = frames;
          for (const { position, frame } of frames) given.onFrame(position, frame);
        };
        wire = { resume, deliver };
        return {
          get running() {
            return running;
          },
          start: () => {
            running = true;
            resume();
          },
          stop: () => {
            running = false;
            server.connection = undefined;
          },
          resubscribe: () => {
            server.connection = undefined;
            queueMicrotask(() => server.connection ?? resume());
          },
          kick: () => undefined,
        };
      },
      ...parts,
    },
  });

  function watch<Input, Value>(query: LiveQuery<Input, Value>, input: Input) {
    const observer = new QueryObserver(client.cache.queryClient, {
      ...liveQueryOptions(client, query, input, true),
      retryDelay: 0,
    });
    return observer.subscribe(() => undefined);
  }

  /** The value that a screen would show; without unconfirmed writes if `own` is false. */
  function shown<Input, Value>(query: LiveQuery<Input, Value>, input: Input, own = true): Value | undefined {
    const entry = client.cache.entry<Value>(query.name, input);
    if (!entry) return undefined;
    return own ? client.overlays.project(query, entry, { input, now: Date.now() }) : entry.value;
  }

  async function calm(): Promise<void> {
    for (let round = 0; round < 8; round += 1) {
      // The cast: the types of the values do not matter, only that each request ends.
      for (const held of [...reads.splice(0), ...writes.splice(0)] as Held<unknown>[]) finish(held);
      server.sequence();
      if (server.connection) wire?.deliver(server.pump());
      else wire?.resume();
      client.cache.flush();
      await settle();
    }
  }

  return {
    server,
    client,
    queries,
    reads,
    writes,
    outcomes,
    watch,
    shown,
    start: () => client.start(server.scope()),
    /** From now on answers wait until they are released. */
    hold: () => {
      automatic = false;
    },
    pump: (most?: number) => wire?.deliver(server.pump(most)),
    again: () => wire?.deliver(lastFrames),
    cut: () => {
      server.connection = undefined;
    },
    /** Reconnects to a process that is `lag` positions behind the log; the first frame replays `piece` positions. */
    resume: (lag?: number, piece?: number) => {
      if (!server.connection) wire?.resume(lag, piece);
    },
    serve: (n: number) => serve(reads, n),
    answer: (n: number) => answer(reads, n),
    /** Makes every waiting read fail, as without a network. */
    failReads: () => {
      for (const held of reads.splice(0)) held.reject(new Error('fetch failed'));
    },
    serveWrite: (n: number) => serve(writes, n),
    answerWrite: (n: number) => answer(writes, n),
    /** Breaks the connection of a write, which the server may or may not have carried out. */
    loseWrite: (n: number) => {
      const [held] = writes.splice(n % Math.max(1, writes.length), 1);
      held?.reject(new Error('fetch failed'));
    },
    mutate: (id: string, changes: SimUpdate['changes'], patch: { status?: string; note?: number }) => {
      const base = shown(queries.one, { id }) ?? server.visible().find((row) => row.id === id);
      if (!base) return;
      let operationId = '';
      const done = client.mutations.run({
        input: { id, changes },
        overlay: {
          entity: 'issue',
          id,
          base: asLiveRow(base),
          // The cast: `status` is the only field of the simulated row that the real row has.
          patch: patch as { status?: 'open' },
        },
        send: (input) => {
          operationId ||= input.operationId;
          if (automatic) return Promise.resolve().then(() => server.update(input));
          return new Promise<{ id: string; version: number }>((resolve, reject) => {
            writes.push({ read: () => server.update(input), resolve, reject });
          });
        },
      });
      outcomes.push(
        done.then(
          () => ({ operationId, ok: true }),
          () => ({ operationId, ok: false }),
        ),
      );
    },
    /** Lets every frame and answer arrive, without new changes. */
    heal: async () => {
      automatic = true;
      await calm();
      // A write whose answer was lost is sent again after a moment.
      await Promise.all(outcomes);
      await calm();
    },
  };
}

function serve(
  from: Held<never>[] | Held<unknown>[] | Held<{ id: string; version: number }>[],
  n: number,
): void {
  const held = (from as Held<unknown>[])[n % Math.max(1, from.length)];
  if (!held || held.served) return;
  try {
    held.served = { value: held.read() };
  } catch (error) {
    (from as Held<unknown>[]).splice(n % from.length, 1);
    held.reject(error as Error);
  }
}

function answer(from: Held<unknown>[] | Held<{ id: string; version: number }>[], n: number): void {
  const held = (from as Held<unknown>[])[n % Math.max(1, from.length)];
  if (!held?.served) return;
  (from as Held<unknown>[]).splice(n % from.length, 1);
  held.resolve(held.served.value);
}

function finish(held: Held<unknown>): void {
  try {
    held.resolve(held.served ? held.served.value : held.read());
  } catch (error) {
    held.reject(error as Error);
  }
}
