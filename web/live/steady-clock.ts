/** Corrections of a running clock are smaller; a device that sleeps for less misses no frame by it. */
const JUMP_MS = 1_000;

/**
 * Time that passes, whatever somebody does to the device's clock. The monotonic clock stands still while most systems
 * sleep, so a wall clock that has run ahead of it may have slept: that counts as time passed. One that has fallen behind
 * was set back, and counts for nothing.
 */
export class SteadyClock {
  #ahead = Date.now() - performance.now();
  #slept = 0;

  /** Milliseconds since some moment; never goes back. */
  now(): number {
    const steady = performance.now();
    const ahead = Date.now() - steady;
    if (ahead - this.#ahead > JUMP_MS) this.#slept += ahead - this.#ahead;
    this.#ahead = ahead;
    return steady + this.#slept;
  }

  /** How much of that the device may have slept, ms. */
  get slept(): number {
    return this.#slept;
  }
}
