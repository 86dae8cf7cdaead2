/** A running clock is corrected by less than this, and a device that sleeps for less misses no frame. */
const JUMP_MS = 1_000;

/**
 * A clock that does not follow changes of the device's clock. The monotonic clock stands still while most systems
 * sleep, so if the wall clock has run ahead of it, the device may have slept: that counts as time passed. If the wall
 * clock has fallen behind, it was set back, which is ignored.
 */
export class SteadyClock {
  #ahead = Date.now() - performance.now();
  #slept = 0;

  /** Milliseconds since an arbitrary moment; never decreases. */
  now(): number {
    const steady = performance.now();
    const ahead = Date.now() - steady;
    if (ahead - this.#ahead > JUMP_MS) this.#slept += ahead - this.#ahead;
    this.#ahead = ahead;
    return steady + this.#slept;
  }

  /** The part of that during which the device may have slept, ms. */
  get slept(): number {
    return this.#slept;
  }
}
