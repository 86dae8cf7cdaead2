import type { LiveEvent } from '#shared/live.ts';

/**
 * When a refusal was overtaken, in the order of a client's requests and answers: more was granted, or what was asked
 * for came into being. A refusal carries no position, so this is all that tells whether it still holds.
 */
export class Refusals {
  readonly #tick: () => number;
  #grantedAt = 0;
  readonly #cameAt = new Map<string, number>();

  /** @param tick the next number in that order */
  constructor(tick: () => number) {
    this.#tick = tick;
  }

  /** More may be seen than before. */
  granted(): void {
    this.#grantedAt = this.#tick();
  }

  /** What this query (by its hash) asks for has come while it waits for an answer. */
  came(queryHash: string): void {
    this.#cameAt.set(queryHash, this.#tick());
  }

  /** Whether a refusal of what was asked for then says nothing any more. */
  isOvertaken(queryHash: string | undefined, requestedAt: number): boolean {
    const cameAt = queryHash === undefined ? undefined : this.#cameAt.get(queryHash);
    return requestedAt < Math.max(this.#grantedAt, cameAt ?? 0);
  }

  /** Its answer is there. */
  answered(queryHash: string | undefined): void {
    if (queryHash !== undefined) this.#cameAt.delete(queryHash);
  }

  clear(): void {
    this.#cameAt.clear();
  }
}

/** Whether an event tells of the very thing that a read asks for: it was refused, maybe, because that was not there. */
export function concernsRead(event: LiveEvent, input: unknown): boolean {
  if (event.op !== 'put' || typeof input !== 'object' || input === null || !('id' in input)) return false;
  return input.id === event.entityId;
}
