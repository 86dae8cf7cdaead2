import type { FastifyBaseLogger } from 'fastify';
import { NO_DIGEST } from '#shared/live/live.ts';
import type { SavedPosition } from './epoch.ts';
import { digestOf, type EventPosition, type StreamEvent } from './events.ts';
import type { Ring } from './ring.ts';
import type { EventSource, Page } from './source.ts';

/** The events of one successful read, possibly none, and the position after them. */
export type Pass = EventPosition & {
  events: readonly StreamEvent[];
  /** The newest position in the database. */
  head: number;
  /** ISO time of the read. */
  at: string;
};

export type ReaderState = EventPosition & {
  epoch: string;
  head: number;
  at: string;
  /** True once everything up to the head of this epoch has been read for the first time. */
  ready: boolean;
  /** Events are missing in the log: nothing is delivered until they are there. */
  halted: boolean;
};

export type Reader = {
  /** Reads until everything up to the head is in the ring. */
  start(kept?: SavedPosition): Promise<void>;
  /** New events may exist, up to `upTo` if it is known. Does nothing if that position has been read already. */
  wake(upTo?: number): void;
  /** Resolves true when the position is reached, false if it is not within the time. */
  reached(g: number, withinMs: number): Promise<boolean>;
  state(): Readonly<ReaderState>;
  stop(): Promise<void>;
};

const PAGE_SIZE = 1_000;
/** For filling the ring at the start: larger pages would leave 10 MiB of garbage in the idle process. */
const FIRST_PAGE_SIZE = 250;

/**
 * The reader of a process (rule R1): one read at a time, in order, never past a missing event.
 * @param options.onPass called synchronously after each successful read, once the reader is ready
 * @param options.onEpoch called when earlier positions are no longer valid
 */
export function createReader(options: {
  source: EventSource;
  ring: Ring;
  now: () => Date;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  onPass: (pass: Pass) => void;
  onEpoch: () => void;
  onPosition?: (position: SavedPosition) => void;
  pollMs?: number;
  /** Events read into the ring at the start. */
  backlog?: number;
}): Reader {
  const { source, ring, now, log } = options;
  const { pollMs = 1_000, backlog = 10_000 } = options;
  const state: ReaderState = {
    ...{ epoch: '', g: 0, digest: NO_DIGEST, head: 0, at: '' },
    ready: false,
    halted: false,
  };
  let hash: string | null = null;
  let dirty = false;
  /** The highest position in the wake-ups since the last read began. */
  let wanted = 0;
  let stopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const waiters = new Set<{ g: number; done: (reached: boolean) => void }>();

  /**
   * Reads one page.
   * @returns whether there is more to read
   */
  async function read(): Promise<boolean> {
    const limit = state.ready ? PAGE_SIZE : FIRST_PAGE_SIZE;
    const page = await source.after(state.g, limit);
    if (page.epoch !== state.epoch) {
      beginAgain(page);
      return true;
    }
    if (page.head < state.g || (hash !== null && page.hashAt !== hash)) {
      log.error({ g: state.g, head: page.head }, 'the database is behind what was sent: a new epoch begins');
      await source.startEpoch(state.epoch);
      return true;
    }
    const missing = firstMissing(page, state.g, limit);
    if (missing !== undefined) {
      if (!state.halted)
        log.error({ g: missing }, 'an event is missing from the event log: live updates are halted');
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
    // The events that fill the ring at the start predate all clients, so they are not delivered.
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
        wanted = 0;
        const more = await read();
        // The same event wakes the reader twice: by this process and by Postgres's notification, mostly during the read. The
        // second wake-up is dropped if its position has been read.
        dirty = more || (dirty && !has(wanted));
      }
    } finally {
      // Set synchronously after the last check of `dirty`; otherwise a wake-up in between would be lost.
      running = undefined;
    }
  }

  function has(g: number): boolean {
    return state.ready && g <= state.g;
  }

  function wakeAndWait(upTo: number): Promise<void> {
    dirty = true;
    wanted = Math.max(wanted, upTo);
    running ??= run();
    return running;
  }

  function wake(upTo = Number.POSITIVE_INFINITY): void {
    if (stopped || timer === undefined || has(upTo)) return;
    wakeAndWait(upTo).catch((error: unknown) => log.warn({ err: error }, 'events could not be read'));
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
      await wakeAndWait(Number.POSITIVE_INFINITY);
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

/**
 * Returns the first position missing in a page. Positions have no gaps (rule S2), so a missing one means corruption.
 * @param limit the number of events that the page can contain
 */
function firstMissing(page: Page, after: number, limit: number): number | undefined {
  let expected = after + 1;
  for (const { g } of page.events) {
    if (g !== expected) return expected;
    expected += 1;
  }
  const complete = page.events.length >= limit || expected === page.head + 1;
  return complete ? undefined : expected;
}
