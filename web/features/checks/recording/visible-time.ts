/**
 * How long a page has been looked at: what passes by its own clock, which nobody can set, while the page is visible. It
 * stands still while the device is locked or asleep, another app or tab is in front, or the page is closed.
 */
export class VisibleTime {
  readonly #now: () => number;
  #since: number | undefined;
  #passed = 0;

  /** @param now the page's own clock, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The page is visible from now on, or is not. */
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

  /** The same, and counts from zero again. */
  take(): number {
    const { ms } = this;
    this.#passed = 0;
    return ms;
  }
}
