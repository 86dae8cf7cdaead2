import { SteadyClock } from '../live/stream/steady-clock.ts';

/** The ages of the data, in ms, after which the screen is no longer live, and after which it is stale. */
export const RECONNECTING_AFTER_MS = 10_000;
export const STALE_AFTER_MS = 60_000;
/** The number of latest frames that are compared. The frame with the shortest delay gives the server's time. */
const FRAMES = 6;
/** After this time a display shows no data: nobody must act on data that is a day old. */
export const BLANK_AFTER_MS = 24 * 3_600_000;

export type Freshness = 'live' | 'reconnecting' | 'stale' | 'blank';

/**
 * The server's time, and the age of the shown data, measured by a clock that counts elapsed time: the device's own date
 * may be years off, so it is never shown and never compared with the server's. Time during which the device may have
 * slept counts as age.
 */
export class WallClock {
  readonly #steady = new SteadyClock();
  /** The server's time minus the steady clock's time, at each of the last frames. */
  #aheads: number[] = [];
  /** The server's time of the newest data. */
  #dataAt: number | undefined;

  /** Notes the server's time from an answer or a frame, ISO. */
  hear(at: string): void {
    const said = Date.parse(at);
    if (Number.isNaN(said)) return;
    const ahead = said - this.#steady.now();
    // The difference is larger than any delay of a frame: the device has slept, or its clock was set forward.
    const hasJumped = Math.max(...this.#aheads) - ahead >= RECONNECTING_AFTER_MS;
    this.#aheads = hasJumped ? [ahead] : [...this.#aheads, ahead].slice(-FRAMES);
    this.#dataAt = said;
  }

  /** The server's time in Unix ms; undefined before the first answer. */
  now(): number | undefined {
    return this.#aheads.length === 0 ? undefined : this.#steady.now() + Math.max(...this.#aheads);
  }

  /** The time of the newest data, Unix ms. */
  dataAt(): number | undefined {
    return this.#dataAt;
  }

  ageMs(): number {
    const now = this.now();
    return now === undefined || this.#dataAt === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(0, now - this.#dataAt);
  }

  freshness(): Freshness {
    const age = this.ageMs();
    if (age <= RECONNECTING_AFTER_MS) return 'live';
    if (age <= STALE_AFTER_MS) return 'reconnecting';
    return age <= BLANK_AFTER_MS ? 'stale' : 'blank';
  }
}
