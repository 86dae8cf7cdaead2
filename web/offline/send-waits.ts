import { backoffMs } from './retry.ts';
import type { QueueWait } from './types.ts';

/** A longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Parts = {
  now: () => number;
  backoff?: ((failures: number) => number) | undefined;
  onWait: (wait: QueueWait | null) => unknown;
};

/** What a sender waits for: everything for the network, single entries for their next try, all for a person (O3, O4). */
export class SendWaits {
  readonly #parts: Parts;
  /** Entries and attachments that failed by their own fault, and when they may be tried again. */
  readonly #held = new Map<string, number>();
  #failures = 0;
  #notBefore = 0;
  #shutOut: 'sign-in' | 'update' | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What must not be tried now. What has come due may be: its wait is over. */
  held(): ReadonlySet<string> {
    const now = this.#parts.now();
    if (this.#notBefore <= now) this.#notBefore = 0;
    for (const [id, until] of this.#held) if (until <= now) this.#held.delete(id);
    return new Set(this.#held.keys());
  }

  /** Why nothing may be sent now although something is to be. */
  reason(isOnline: boolean): QueueWait | undefined {
    if (this.#shutOut !== undefined) return this.#shutOut;
    if (!isOnline) return 'offline';
    return this.#notBefore > 0 ? 'retrying' : undefined;
  }

  tell(wait: QueueWait | null): void {
    this.#parts.onWait(wait);
  }

  /** One waits, the others go on. */
  hold(id: string, faults: number): void {
    this.#held.set(id, this.#parts.now() + this.#delay(faults));
  }

  /** All that is left of an entry waits: the entry does too. */
  holdWith(id: string, others: readonly { id: string }[]): void {
    this.#held.set(id, Math.min(...others.map((one) => this.#held.get(one.id) ?? Infinity)));
  }

  /** Everything waits, longer each time. @param leastMs the server asked for this much */
  pause(wait: QueueWait, leastMs = 0): void {
    this.#failures += 1;
    this.#notBefore = this.#parts.now() + Math.max(leastMs, this.#delay(this.#failures));
    this.tell(wait);
  }

  /** Everything waits for a person. */
  shutOut(wait: 'sign-in' | 'update'): void {
    this.#shutOut = wait;
    this.tell(wait);
  }

  /** The server has taken something. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** No need to wait any longer. */
  end(): void {
    this.#notBefore = 0;
    this.#held.clear();
    this.#shutOut = undefined;
  }

  /** Calls back when the first of the waits is over. */
  schedule(wake: () => void): void {
    if (this.#shutOut !== undefined) return;
    // Also what has come due since the queue was looked at: nobody else would come back for it.
    const times = [...this.#held.values(), ...(this.#notBefore > 0 ? [this.#notBefore] : [])];
    if (times.length === 0) return;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(0, Math.min(...times) - this.#parts.now()));
    this.#timer = setTimeout(wake, wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #delay(failures: number): number {
    return (this.#parts.backoff ?? backoffMs)(failures);
  }
}
