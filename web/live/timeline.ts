import type { LivePosition } from '#shared/live.ts';
import type { Ring, RingItem } from './ring.ts';

/** How far frames have come, how far they are in the cache, and the events between. */
export class Timeline {
  readonly #ring: Ring;
  #cursor: LivePosition = { epoch: '', g: 0 };
  #applied: LivePosition = { epoch: '', g: 0 };
  #generation = 0;

  constructor(ring: Ring) {
    this.#ring = ring;
  }

  /** As far as frames have come. */
  get cursor(): LivePosition {
    return this.#cursor;
  }

  /** Of which stream the events in the cache are. */
  get epoch(): string {
    return this.#applied.epoch;
  }

  /** Rises when nothing from before can be continued. */
  get generation(): number {
    return this.#generation;
  }

  /** How many positions wait to be put into the cache. */
  get waiting(): number {
    return this.#cursor.g - this.#applied.g;
  }

  end(): void {
    this.#generation += 1;
  }

  reset(position: LivePosition): void {
    this.#generation += 1;
    this.#cursor = position;
    this.#applied = position;
    this.#ring.clear(position.g);
  }

  /** @param items in order; what has come before is left out */
  receive(position: LivePosition, items: readonly RingItem[]): void {
    const now = Date.now();
    for (const item of items) if (item.g > this.#cursor.g) this.#ring.push(item, now);
    this.#cursor = position;
    this.#ring.trim(now, this.#applied.g);
  }

  /** What waits; from now on it counts as being in the cache. */
  take(): readonly RingItem[] {
    const items = this.#ring.after(this.#applied.g);
    this.#applied = this.#cursor;
    return items;
  }

  /** As `joinRing` wants it. */
  stream() {
    return {
      position: this.#applied,
      from: this.#ring.from,
      after: (g: number) => this.#ring.after(g),
    };
  }
}
