import type { Query } from '@tanstack/react-query';

/** Questions that many windows have at the same moment, each put off a little (rule T3). */
export class Stagger {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #due: (query: Query) => void;

  constructor(due: (query: Query) => void) {
    this.#due = due;
  }

  /** One that waits already is not put off further. */
  wait(query: Query, ms: number): void {
    const { queryHash } = query;
    if (this.#timers.has(queryHash)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(queryHash);
      this.#due(query);
    }, ms);
    this.#timers.set(queryHash, timer);
  }

  waits({ queryHash }: Query): boolean {
    return this.#timers.has(queryHash);
  }

  /** It is being asked. */
  drop({ queryHash }: Query): void {
    clearTimeout(this.#timers.get(queryHash));
    this.#timers.delete(queryHash);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
