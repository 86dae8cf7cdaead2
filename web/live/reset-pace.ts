const PACE_MS = 10_000;
const MINUTE_MS = 60_000;
/** What one client's snapshots keep the server busy with, about; the wait is spread over that of all. */
const EACH_MS = 10;

/** Resets cost everybody's snapshots: at most one is answered in ten seconds, and the third in a minute is told. */
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

  /** How long to wait with a question that so many clients have at this moment. */
  spreadMs(crowd: number): number {
    return Math.round(Math.min(this.#paceMs, (crowd - 1) * EACH_MS) * this.#random());
  }

  /**
   * A reset has come: how long to wait before it is answered, and whether they come too often.
   * @param crowd so many clients may have been told the same at this moment
   */
  next(now: number, crowd: number): { waitMs: number; tooOften: boolean } {
    this.#recent = [...this.#recent.filter((at) => now - at < MINUTE_MS), now];
    const earliest = now + this.spreadMs(crowd);
    const due = this.#answered === undefined ? earliest : Math.max(earliest, this.#answered + this.#paceMs);
    this.#answered = due;
    return { waitMs: due - now, tooOften: this.#recent.length >= 3 };
  }

  /** One answer at a time: a later reset takes the place of one that still waits. */
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
