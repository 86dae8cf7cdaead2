import type { Query } from '@tanstack/react-query';

const DAY_MS = 24 * 60 * 60_000;

/** Timers for rows that enter or leave a value by time alone (rule J4). */
export class Boundaries {
  readonly #timers = new Map<string, { at: string; timer: ReturnType<typeof setTimeout> }>();
  readonly #now: () => number;
  readonly #due: (query: Query) => void;

  constructor(now: () => number, due: (query: Query) => void) {
    this.#now = now;
    this.#due = due;
  }

  /**
   * Sets the moment at which a query is due; null for none. A moment in the past is due after a second, so that this
   * cannot loop.
   */
  set(query: Query, at: string | null): void {
    const known = this.#timers.get(query.queryHash);
    if (known?.at === at) return;
    clearTimeout(known?.timer);
    this.#timers.delete(query.queryHash);
    if (at === null) return;
    const wait = Math.min(DAY_MS, Math.max(1000, Date.parse(at) - this.#now()));
    const timer = setTimeout(() => {
      this.#timers.delete(query.queryHash);
      if (Date.parse(at) > this.#now()) this.set(query, at);
      else this.#due(query);
    }, wait);
    this.#timers.set(query.queryHash, { at, timer });
  }

  clear(): void {
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
