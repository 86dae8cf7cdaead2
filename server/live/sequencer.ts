import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from 'postgres';
import { withTimeout } from './with-timeout.ts';

/** What a call of `sequence_events()` moved. */
type Moved = { first_g: string; last_g: string; n: number };
/** As many rows as one call moves at most: fewer means that the outbox is empty. */
const ROWS_PER_CALL = 100;
/** Longer than any statement may take: without an answer, the connection is dead, and another is tried. */
const ANSWER_MS = 12_000;

export type Sequencer = {
  /** There is something in the outbox. Returns at once; calls while one is under way are joined into one more. */
  schedule(): void;
  /** Resolves when everything committed before this call has its place in the order. Rejects if the database refuses. */
  settled(): Promise<void>;
  /** Called after each call that moved something. */
  onSequenced(listener: () => void): void;
  stop(): Promise<void>;
};

/**
 * Gives committed changes their order (rule S2): after each commit, and once a second while the outbox is not empty,
 * which covers a process that died between its commit and this.
 * @param options.sweepMs between looks at the outbox
 * @param options.pauseMs after a call that was followed by another, so that busy writers share calls
 */
export function createSequencer(options: {
  sql: Sql;
  log: Pick<FastifyBaseLogger, 'warn'>;
  sweepMs?: number;
  pauseMs?: number;
}): Sequencer {
  const { sql, log, sweepMs = 1_000, pauseMs = 1 } = options;
  const listeners: (() => void)[] = [];
  let dirty = false;
  let stopped = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      while (dirty && !stopped) {
        dirty = false;
        const [moved] = await withTimeout(
          ANSWER_MS,
          sql<Moved[]>`select first_g, last_g, n from sequence_events()`,
        );
        if (moved === undefined || moved.n === 0) continue;
        if (moved.n === ROWS_PER_CALL) dirty = true;
        for (const listener of listeners) listener();
        if (dirty) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } finally {
      // In the same step as the last look at `dirty`: a call in between would be lost.
      running = undefined;
    }
  }

  function start(): Promise<void> {
    dirty = true;
    running ??= run();
    return running;
  }

  function schedule(): void {
    if (stopped) return;
    start().catch((error: unknown) => {
      // The sweep tries again.
      log.warn({ err: error }, 'events could not be put in order');
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
