const PACE_MS = 10_000;
const MINUTE_MS = 60_000;
/**
 * The approximate server time for the snapshots of one client, ms. The clients spread their requests over the time for
 * all of them.
 */
const EACH_MS = 10;

/**
 * Limits the load of resets, because a reset makes clients fetch everything: at most one is answered in ten seconds,
 * and the third within a minute is shown to the person.
 */
export class ResetPace {
  readonly #paceMs: number;
  readonly #random: () => number;
  #answered: number | undefined;
  #recent: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(paceMs: number = PACE_MS, random: () => number = Math.random) {
    this.#paceMs = paceMs;
    this.#random = random;
  }

  /** The random wait before a request that `crowd` clients make at the same moment, ms. */
  spreadMs(crowd: number): number {
    return Math.round(Math.min(this.#paceMs, (crowd - 1) * EACH_MS) * this.#random());
  }

  /**
   * Notes a reset: returns the wait before it is answered, and whether resets are too frequent.
   * @param crowd the number of clients that may have received the same reset
   */
  next(now: number, crowd: number): { waitMs: number; tooOften: boolean } {
    this.#recent = [...this.#recent.filter((at) => now - at < MINUTE_MS), now];
    const earliest = now + this.spreadMs(crowd);
    const due = this.#answered === undefined ? earliest : Math.max(earliest, this.#answered + this.#paceMs);
    this.#answered = due;
    return { waitMs: due - now, tooOften: this.#recent.length >= 3 };
  }

  /** Runs `run` after a delay. A later call replaces an earlier one that still waits. */
  after(ms: number, run: () => void): void {
    clearTimeout(this.#timer);
    if (ms <= 0) run();
    else this.#timer = setTimeout(run, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#answered = undefined;
    this.#recent = [];
  }
}
