const PACE_MS = 10_000;
const MINUTE_MS = 60_000;

/** Resets cost everybody's snapshots: at most one is answered in ten seconds, and the third in a minute is told. */
export class ResetPace {
  readonly #paceMs: number;
  #answered: number | undefined;
  #recent: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(paceMs: number = PACE_MS) {
    this.#paceMs = paceMs;
  }

  /** A reset has come: how long to wait before it is answered, and whether they come too often. */
  next(now: number): { waitMs: number; tooOften: boolean } {
    this.#recent = [...this.#recent.filter((at) => now - at < MINUTE_MS), now];
    const due = this.#answered === undefined ? now : Math.max(now, this.#answered + this.#paceMs);
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
