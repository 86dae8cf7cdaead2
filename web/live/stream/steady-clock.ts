/** Corrections of a running clock are smaller than this, and a device that sleeps for a shorter time misses no frame. */
const JUMP_MS = 1_000;

/**
 * A clock that does not follow changes of the device's clock. On most systems the monotonic clock stops during sleep, so
 * if the wall clock has gained on it, the device may have slept, and the gain counts as elapsed time. If the wall clock
 * has fallen behind, it was set back, which is ignored.
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

  /** The part of `now()` during which the device may have slept, ms. */
  get slept(): number {
    return this.#slept;
  }
}
