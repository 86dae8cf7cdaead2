import type { Query } from '@tanstack/react-query';

/**
 * Requests because of bulk events are throttled to one for each query in this time, ms: one change of many rows may
 * record an event for each building, all within seconds.
 */
const PACE_MS = 2_000;

/** Delays requests that many windows make at the same moment (rule T3), or that one window makes again and again. */
export class Stagger {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #due: (query: Query) => void;
  /** The time at which each query was last asked because of a bulk event. */
  readonly #asked = new Map<string, number>();

  readonly #paceMs: number;

  constructor(due: (query: Query) => void, paceMs = PACE_MS) {
    this.#due = due;
    this.#paceMs = paceMs;
  }

  /** Delays a query; a query that waits already is not delayed further. */
  wait(query: Query, ms: number): void {
    const { queryHash } = query;
    if (this.#timers.has(queryHash)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(queryHash);
      this.#note(queryHash);
      this.#due(query);
    }, ms);
    this.#timers.set(queryHash, timer);
  }

  /** Returns the wait before a query is asked because of a bulk event: `ms`, or longer if the query has just been asked. */
  pace({ queryHash }: Query, ms: number): number {
    const now = Date.now();
    const since = Math.abs(now - (this.#asked.get(queryHash) ?? Number.NEGATIVE_INFINITY));
    const wait = Math.max(ms, this.#paceMs - since);
    if (wait <= 0) this.#note(queryHash);
    return wait;
  }

  #note(queryHash: string): void {
    const now = Date.now();
    for (const [hash, at] of this.#asked) if (Math.abs(now - at) >= this.#paceMs) this.#asked.delete(hash);
    this.#asked.set(queryHash, now);
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
    this.#asked.clear();
  }
}
