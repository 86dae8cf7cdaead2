import type { LivePosition } from '#shared/live/live.ts';
import type { Ring, RingItem } from './stream/ring.ts';

/** The received and the applied position, and the events between them. */
export class Timeline {
  readonly #ring: Ring;
  #cursor: LivePosition = { epoch: '', g: 0 };
  #applied: LivePosition = { epoch: '', g: 0 };
  #generation = 0;

  constructor(ring: Ring) {
    this.#ring = ring;
  }

  /** The position up to which frames have been received. */
  get cursor(): LivePosition {
    return this.#cursor;
  }

  /** The epoch of the events in the cache. */
  get epoch(): string {
    return this.#applied.epoch;
  }

  /** Rises with every reset and stop; requests of an earlier generation cannot be continued. */
  get generation(): number {
    return this.#generation;
  }

  /** The number of positions that are received and not yet applied. */
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

  /** @param items in order; those at or before the cursor are ignored */
  receive(position: LivePosition, items: readonly RingItem[]): void {
    const now = Date.now();
    for (const item of items) if (item.event.g > this.#cursor.g) this.#ring.push(item, now);
    this.#cursor = position;
    this.#ring.trim(now, this.#applied.g);
  }

  /** Returns the waiting items and moves the applied position past them. */
  take(): readonly RingItem[] {
    const items = this.#ring.after(this.#applied.g);
    this.#applied = this.#cursor;
    return items;
  }

  /** The applied stream, as `joinRing` takes it. */
  stream() {
    return {
      position: this.#applied,
      from: this.#ring.from,
      after: (g: number) => this.#ring.after(g),
    };
  }
}
