import type { QueueWait } from '../types.ts';
import { backoffMs } from './backoff.ts';

/** The longest possible delay of a timer; a timer with a longer delay would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Parts = {
  now: () => number;
  backoff?: ((failures: number) => number) | undefined;
  onWait: (wait: QueueWait | null) => unknown;
};

/**
 * The waits of a sender: all commands wait for the network or a person, single commands wait for their next try (rules
 * O3, O4).
 */
export class SendWaits {
  readonly #parts: Parts;
  /** Commands and attachments whose failure may be their own fault, with the time of their next try. */
  readonly #held = new Map<string, number>();
  #failures = 0;
  #notBefore = 0;
  #shutOut: 'sign-in' | 'update' | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The ids that must not be tried now. Waits that have ended are removed. */
  held(): ReadonlySet<string> {
    const now = this.#parts.now();
    if (this.#notBefore <= now) this.#notBefore = 0;
    for (const [id, until] of this.#held) if (until <= now) this.#held.delete(id);
    return new Set(this.#held.keys());
  }

  /** The reason why nothing may be sent now, if there is one. */
  reason(isOnline: boolean): QueueWait | undefined {
    if (this.#shutOut !== undefined) return this.#shutOut;
    if (!isOnline) return 'offline';
    return this.#notBefore > 0 ? 'retrying' : undefined;
  }

  tell(wait: QueueWait | null): void {
    this.#parts.onWait(wait);
  }

  /** Delays one command or attachment; the others continue. */
  hold(id: string, faults: number): void {
    this.#held.set(id, this.#parts.now() + this.#delay(faults));
  }

  /** Delays a command until the first of its delayed attachments may be tried. */
  holdWith(id: string, others: readonly { id: string }[]): void {
    this.#held.set(id, Math.min(...others.map((one) => this.#held.get(one.id) ?? Infinity)));
  }

  /** Pauses everything, for longer each time. @param leastMs the wait for which the server asked */
  pause(wait: QueueWait, leastMs = 0): void {
    this.#failures += 1;
    this.#notBefore = this.#parts.now() + Math.max(leastMs, this.#delay(this.#failures));
    this.tell(wait);
  }

  /** Pauses everything until a person acts. */
  shutOut(wait: 'sign-in' | 'update'): void {
    this.#shutOut = wait;
    this.tell(wait);
  }

  /** Resets the backoff after a success. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Ends all waits. */
  end(): void {
    this.#notBefore = 0;
    this.#held.clear();
    this.#shutOut = undefined;
  }

  /** Calls `wake` when the first of the waits has ended. */
  schedule(wake: () => void): void {
    if (this.#shutOut !== undefined) return;
    // Includes waits that ended since the queue was checked: otherwise nothing would wake the sender for them.
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
