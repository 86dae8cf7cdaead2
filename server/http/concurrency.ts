/** Limits concurrent work of one kind per key: a semaphore that refuses instead of queueing. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #underWay = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns a function that releases the place, at most once; undefined if none is free */
  take(key: string): (() => void) | undefined {
    const count = this.#underWay.get(key) ?? 0;
    if (count >= this.#most) return undefined;
    this.#underWay.set(key, count + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.#underWay.get(key) ?? 1) - 1;
      if (left > 0) this.#underWay.set(key, left);
      else this.#underWay.delete(key);
    };
  }
}
