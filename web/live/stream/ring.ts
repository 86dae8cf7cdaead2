import type { LiveEvent } from '#shared/live/live.ts';

/** An event of the stream. */
export type RingItem = {
  event: LiveEvent;
  /** For a bulk event that others receive too: the delay before a new snapshot is fetched, ms. */
  spreadMs?: number;
};

const RING_LIMITS = { ageMs: 5 * 60_000, items: 5000 };

/** The last minutes of the stream (rule J3): everything after `from`, and nothing at or before it. */
export class Ring {
  from = 0;
  readonly #limits: { ageMs: number; items: number };
  #items: { item: RingItem; receivedAt: number }[] = [];

  constructor(limits: { ageMs: number; items: number } = RING_LIMITS) {
    this.#limits = limits;
  }

  clear(from: number): void {
    this.#items = [];
    this.from = from;
  }

  /** Adds an item. Items arrive in the order of their positions. */
  push(item: RingItem, now: number): void {
    this.#items.push({ item, receivedAt: now });
  }

  /** Drops items that are too old, and the oldest if there are too many, but none after `keepAfter`. */
  trim(now: number, keepAfter: number): void {
    let drop = 0;
    for (const { item, receivedAt } of this.#items) {
      const { g } = item.event;
      const tooMany = this.#items.length - drop > this.#limits.items;
      if ((!tooMany && now - receivedAt <= this.#limits.ageMs) || g > keepAfter) break;
      this.from = g;
      drop += 1;
    }
    if (drop > 0) this.#items = this.#items.slice(drop);
  }

  /** The items after position `g`, oldest first. */
  after(g: number): RingItem[] {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#items[middle]?.item.event.g ?? 0) > g) high = middle;
      else low = middle + 1;
    }
    return this.#items.slice(low).map(({ item }) => item);
  }

  get size(): number {
    return this.#items.length;
  }
}
