import type { Query } from '@tanstack/react-query';

/** Delays requests that many windows make at the same moment (rule T3). */
export class Stagger {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #due: (query: Query) => void;

  constructor(due: (query: Query) => void) {
    this.#due = due;
  }

  /** Delays a query; one that waits already is not delayed further. */
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

  /** Forgets a query that is being fetched. */
  drop({ queryHash }: Query): void {
    clearTimeout(this.#timers.get(queryHash));
    this.#timers.delete(queryHash);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
