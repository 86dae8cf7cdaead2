/** A token bucket: calls at once, and calls per second after that. */
export type CallLimit = { burst: number; perSecond: number };

/** Limits by kind of caller. */
export type CallLimits = { person: CallLimit; anonymous: CallLimit; bytes?: CallLimit };

/** Limits count calls, not requests: a batch of twenty counts twenty. */
export const CALL_LIMITS = {
  /** A person who is signed in, over all tabs. */
  person: { burst: 600, perSecond: 40 },
  /** All callers of one network (`networkOf`) that are not signed in. */
  anonymous: { burst: 200, perSecond: 10 },
  /**
   * Bytes that a signed-in person sends with calls. Each byte is stored about nine times, in rows, events and logs. The burst is
   * the data that a phone sends in a month; 4 KiB/s is a page of text per second.
   */
  bytes: { burst: 16 * 1024 * 1024, perSecond: 4 * 1024 },
} as const satisfies Record<string, CallLimit>;

const FORGET_AT = 10_000;

/** A token bucket per key. */
export class CallLimiter {
  readonly #limit: CallLimit;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(limit: CallLimit) {
    this.#limit = limit;
  }

  /** @returns 0 if the calls may pass, else the seconds until they may */
  take(key: string, calls: number, now = performance.now()): number {
    const { burst, perSecond } = this.#limit;
    const bucket = this.#buckets.get(key) ?? { left: burst, at: now };
    const passedMs = now - bucket.at;
    const left = Math.min(burst, bucket.left + (passedMs / 1_000) * perSecond);
    const enough = left >= calls;
    this.#buckets.set(key, { left: enough ? left - calls : left, at: now });
    if (this.#buckets.size > FORGET_AT) this.#forgetFull(now);
    return enough ? 0 : Math.ceil((calls - left) / perSecond);
  }

  /** Takes back calls that were counted and should not have been. */
  giveBack(key: string, calls: number): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.left = Math.min(this.#limit.burst, bucket.left + calls);
  }

  /** @returns the calls that may pass now, and the seconds until the bucket is full again */
  remaining(key: string, now = performance.now()): { left: number; fullInSeconds: number } {
    const { burst, perSecond } = this.#limit;
    const bucket = this.#buckets.get(key) ?? { left: burst, at: now };
    const left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
    return { left: Math.floor(left), fullInSeconds: Math.ceil((burst - left) / perSecond) };
  }

  #forgetFull(now: number): void {
    const fullAfterMs = (this.#limit.burst / this.#limit.perSecond) * 1_000;
    for (const [key, { at }] of this.#buckets) {
      if (now - at > fullAfterMs) this.#buckets.delete(key);
    }
  }
}
