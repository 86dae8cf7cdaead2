import type { FastifyBaseLogger } from 'fastify';
import { NO_DIGEST } from '#shared/live.ts';
import type { KeptPosition } from './epoch.ts';
import { digestOf, type EventPosition, type StreamEvent } from './events.ts';
import type { Ring } from './ring.ts';
import type { EventSource, Page } from './source.ts';

/** What one successful read brought, maybe nothing, and the place after it. */
export type Pass = EventPosition & {
  events: readonly StreamEvent[];
  /** Newest position in the database. */
  head: number;
  /** ISO time of the read. */
  at: string;
};

export type ReaderState = EventPosition & {
  epoch: string;
  head: number;
  at: string;
  /** True from the first time that it has read everything there was, in this epoch. */
  ready: boolean;
  /** Events are missing in the record: nothing goes out until they are there. */
  halted: boolean;
};

export type Reader = {
  /** Reads until the ring is full and nothing is left. */
  start(kept?: KeptPosition): Promise<void>;
  /** There may be something new; `upTo`, if known, is how far it goes, and what has been read is not read again. */
  wake(upTo?: number): void;
  /** Resolves true when the position is reached, false when it is not within the time. */
  reached(g: number, withinMs: number): Promise<boolean>;
  state(): Readonly<ReaderState>;
  stop(): Promise<void>;
};

const PAGE_SIZE = 1_000;

/**
 * The one reader of a process (rule R1): single-flight, in order, never past a hole.
 * @param options.onPass called in one step after each successful read, once the reader is ready
 * @param options.onEpoch called when positions of before mean nothing any more
 * @param options.findHole what is missing in a page, if anything
 */
export function createReader(options: {
  source: EventSource;
  ring: Ring;
  now: () => Date;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  onPass: (pass: Pass) => void;
  onEpoch: () => void;
  onPosition?: (position: KeptPosition) => void;
  findHole?: (page: Page, after: number) => number | undefined;
  pollMs?: number;
  /** Events kept in the ring, and so read at the start. */
  backlog?: number;
}): Reader {
  const { source, ring, now, log, findHole = firstMissing } = options;
  const { pollMs = 1_000, backlog = 10_000 } = options;
  const state: ReaderState = {
    ...{ epoch: '', g: 0, digest: NO_DIGEST, head: 0, at: '' },
    ready: false,
    halted: false,
  };
  let hash: string | null = null;
  let dirty = false;
  let stopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const waiters = new Set<{ g: number; done: (reached: boolean) => void }>();

  /** @returns whether there is more to read */
  async function read(): Promise<boolean> {
    const page = await source.after(state.g, PAGE_SIZE);
    if (page.epoch !== state.epoch) {
      beginAgain(page);
      return true;
    }
    if (page.head < state.g || (hash !== null && page.hashAt !== hash)) {
      log.error({ g: state.g, head: page.head }, 'the database is behind what was sent: a new epoch begins');
      await source.startEpoch(state.epoch);
      return true;
    }
    const missing = findHole(page, state.g);
    if (missing !== undefined) {
      if (!state.halted)
        log.error({ g: missing }, 'an event is missing in the record: live updates are halted');
      state.halted = true;
      return false;
    }
    state.halted = false;
    take(page);
    return state.g < page.head;
  }

  function take(page: Page): void {
    state.g = page.events.at(-1)?.g ?? state.g;
    state.head = page.head;
    state.at = now().toISOString();
    hash = page.events.length > 0 ? page.lastHash : page.hashAt;
    state.digest = digestOf(hash);
    ring.push(page.events);
    const wasReady = state.ready;
    state.ready ||= state.g === page.head;
    // What fills the ring at the start happened before anybody was here.
    const { g, digest, head, at } = state;
    if (wasReady) options.onPass({ events: page.events, g, digest, head, at });
    if (state.ready) options.onPosition?.({ epoch: state.epoch, g: state.g, hash });
    for (const waiter of waiters) if (state.ready && waiter.g <= state.g) waiter.done(true);
  }

  function beginAgain(page: Page): void {
    const first = state.epoch === '';
    ring.clear();
    state.epoch = page.epoch;
    state.g = Math.max(0, page.head - backlog);
    state.head = page.head;
    state.ready = false;
    hash = null;
    if (!first) options.onEpoch();
  }

  async function run(): Promise<void> {
    try {
      while (dirty && !stopped) {
        dirty = false;
        if (await read()) dirty = true;
      }
    } finally {
      // In the same step as the last look at `dirty`: a wake-up in between would be lost.
      running = undefined;
    }
  }

  function wakeAndWait(): Promise<void> {
    dirty = true;
    running ??= run();
    return running;
  }

  function wake(upTo = Number.POSITIVE_INFINITY): void {
    if (stopped || timer === undefined || (state.ready && upTo <= state.g)) return;
    wakeAndWait().catch((error: unknown) => log.warn({ err: error }, 'events could not be read'));
  }

  return {
    async start(kept) {
      if (kept !== undefined) {
        const page = await source.after(kept.g, 1);
        const gone = kept.g > page.head || page.hashAt !== kept.hash;
        if (page.epoch === kept.epoch && gone) {
          log.error({ g: kept.g, head: page.head }, 'the database was restored: a new epoch begins');
          await source.startEpoch(kept.epoch);
        }
      }
      await wakeAndWait();
      timer = setInterval(() => wake(), pollMs);
      timer.unref();
    },
    wake,
    reached(g, withinMs) {
      if (state.ready && state.g >= g) return Promise.resolve(true);
      wake();
      return new Promise((resolve) => {
        const waiter = {
          g,
          done(reached: boolean) {
            clearTimeout(expiry);
            waiters.delete(waiter);
            resolve(reached);
          },
        };
        const expiry = setTimeout(() => waiter.done(false), withinMs);
        waiters.add(waiter);
      });
    },
    state: () => state,
    async stop() {
      stopped = true;
      clearInterval(timer);
      for (const waiter of waiters) waiter.done(false);
      await Promise.allSettled([running]);
    },
  };
}

/** The first position that a page should have and has not. Positions have no gaps (rule S2), so one is corruption. */
export function firstMissing(page: Page, after: number): number | undefined {
  let expected = after + 1;
  for (const { g } of page.events) {
    if (g !== expected) return expected;
    expected += 1;
  }
  const complete = page.events.length >= PAGE_SIZE || expected === page.head + 1;
  return complete ? undefined : expected;
}
