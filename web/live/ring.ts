import type { LiveEvent } from '#shared/live.ts';

/** The stream's item at position `g`. */
export type RingItem =
  | {
      kind: 'event';
      g: number;
      event: LiveEvent;
      /** For a bulk event that others get, too: the delay before a new snapshot is fetched, ms. */
      spreadMs?: number;
    }
  | {
      kind: 'access';
      g: number;
      /** The buildings that were lost, if any. */
      lost: ((buildingId: string) => boolean) | null;
      /** Access was gained, so a new snapshot is needed. */
      refetch: boolean;
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

  /** Adds an item. Items come in the order of `g`; several may share one. */
  push(item: RingItem, now: number): void {
    this.#items.push({ item, receivedAt: now });
  }

  /** Drops items that are too old or too many, whole positions at a time, but none after `keepAfter`. */
  trim(now: number, keepAfter: number): void {
    let drop = 0;
    for (const { item, receivedAt } of this.#items) {
      const tooMany = this.#items.length - drop > this.#limits.items;
      const samePosition = item.g === this.from;
      if (!samePosition && !tooMany && now - receivedAt <= this.#limits.ageMs) break;
      if (item.g > keepAfter) break;
      this.from = item.g;
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
      if ((this.#items[middle]?.item.g ?? 0) > g) high = middle;
      else low = middle + 1;
    }
    return this.#items.slice(low).map(({ item }) => item);
  }

  get size(): number {
    return this.#items.length;
  }
}
