import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from 'postgres';
import { withTimeout } from '../adapters/with-timeout.ts';

/** The result of `sequence_events()`. */
type Moved = { first_g: string; last_g: string; n: number };
/** The most rows that one call moves; fewer means that the outbox is empty. */
const ROWS_PER_CALL = 100;
/**
 * The pause after a call: for each row that the call moved, and its maximum. Most of the cost of a call does not depend on the
 * number of its rows. So when there are many changes, the pause makes more of them share a call. A single change that follows
 * no other does not wait.
 */
const PAUSE_MS_PER_ROW = 3;
const PAUSE_MS_MAX = 10;
/** Longer than any statement may take: without an answer the connection is dead, and the next call uses another one. */
const ANSWER_MS = 12_000;

export type Sequencer = {
  /** Requests a run, because the outbox has rows. Returns at once; calls during a run are combined into one more. */
  schedule(): void;
  /** Resolves when everything committed before this call has its position. Rejects if the database reports an error. */
  settled(): Promise<void>;
  /** Registers a listener for calls that moved events; it gets the position of the last one. */
  onSequenced(listener: (g: number) => void): void;
  stop(): Promise<void>;
};

/**
 * Gives committed events their positions (rule S2): after each commit, and once a second if the outbox is not empty, because a
 * process may have died between its commit and the call.
 * @param options.sweepMs interval between checks of the outbox
 */
export function createSequencer(options: {
  sql: Sql;
  log: Pick<FastifyBaseLogger, 'warn'>;
  sweepMs?: number;
}): Sequencer {
  const { sql, log, sweepMs = 1_000 } = options;
  const listeners: ((g: number) => void)[] = [];
  let dirty = false;
  let stopped = false;
  /** When the pause after the last call is over. */
  let pausedUntil = 0;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      while (dirty && !stopped) {
        await waitForPause();
        dirty = false;
        const [moved] = await withTimeout(
          ANSWER_MS,
          sql<Moved[]>`select first_g, last_g, n from sequence_events()`,
        );
        if (moved === undefined || moved.n === 0) continue;
        if (moved.n === ROWS_PER_CALL) dirty = true;
        else pausedUntil = performance.now() + Math.min(PAUSE_MS_MAX, PAUSE_MS_PER_ROW * moved.n);
        for (const listener of listeners) listener(Number(moved.last_g));
      }
    } finally {
      // Set synchronously after the last check of `dirty`; otherwise a call in between would be lost.
      running = undefined;
    }
  }

  async function waitForPause(): Promise<void> {
    const pauseMs = pausedUntil - performance.now();
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  function start(): Promise<void> {
    dirty = true;
    running ??= run();
    return running;
  }

  function schedule(): void {
    if (stopped) return;
    start().catch((error: unknown) => {
      // The next sweep tries again.
      log.warn({ err: error }, 'events could not be sequenced');
    });
  }

  async function sweep(): Promise<void> {
    const [{ waits } = { waits: false }] = await sql<{ waits: boolean }[]>`
      select cardinality(outbox_waiting(1)) > 0 as waits`;
    if (waits) schedule();
  }

  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'the outbox could not be read'))
      .finally(() => {
        sweeping = undefined;
      });
  }, sweepMs);
  timer.unref();

  return {
    schedule: schedule,
    settled: start,
    onSequenced: (listener) => void listeners.push(listener),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.allSettled([running, sweeping]);
    },
  };
}
