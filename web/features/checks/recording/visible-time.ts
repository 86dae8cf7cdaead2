/**
 * Measures how long a page was visible, by the monotonic clock of the page. The measurement pauses while the device is
 * locked or asleep, another app or tab is in front, or the page is closed.
 */
export class VisibleTime {
  readonly #now: () => number;
  #since: number | undefined;
  #passed = 0;

  /** @param now the page's monotonic clock, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Records that the page is visible, or not visible, from now on. */
  look(visible: boolean): void {
    const now = this.#now();
    if (this.#since !== undefined) this.#passed += now - this.#since;
    this.#since = visible ? now : undefined;
  }

  /** Whole milliseconds since the last `take`. */
  get ms(): number {
    this.look(this.#since !== undefined);
    return Math.round(this.#passed);
  }

  /** Returns `ms` and resets it to zero. */
  take(): number {
    const { ms } = this;
    this.#passed = 0;
    return ms;
  }
}
