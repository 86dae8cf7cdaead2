/** How much of one kind of work may be under way at a time, for each key: a semaphore that refuses instead of waiting. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #underWay = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns what gives the place back, once however often it is called; undefined where no place is free */
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
