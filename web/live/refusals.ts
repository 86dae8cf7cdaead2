import type { LiveEvent } from '#shared/live/live.ts';
import type { AnyLiveQuery } from './types.ts';

/**
 * Records when the row of a refused read was created, which overtakes the refusal, in the order of a client's requests and
 * answers. A refusal has no position, so only this record shows whether it still holds.
 */
export class Refusals {
  readonly #tick: () => number;
  readonly #cameAt = new Map<string, number>();

  /** @param tick the next number in that order */
  constructor(tick: () => number) {
    this.#tick = tick;
  }

  /** Notes that the row that a query (by its hash) asks for has come while it waits for an answer. */
  came(queryHash: string): void {
    this.#cameAt.set(queryHash, this.#tick());
  }

  /** Whether a refusal of a request with this number no longer holds. */
  isOvertaken(queryHash: string | undefined, requestedAt: number): boolean {
    const cameAt = queryHash === undefined ? undefined : this.#cameAt.get(queryHash);
    return requestedAt < (cameAt ?? 0);
  }

  /** Forgets a query that has been answered. */
  answered(queryHash: string | undefined): void {
    if (queryHash !== undefined) this.#cameAt.delete(queryHash);
  }

  clear(): void {
    this.#cameAt.clear();
  }
}

/**
 * Whether an event may bring the row that a read asks for; the read may have been refused because the row was not there.
 * The input names the row somewhere; a bulk event may bring any row of its entity.
 */
export function concernsRead(
  event: LiveEvent,
  { entities }: Pick<AnyLiveQuery, 'entities'>,
  input: unknown,
): boolean {
  if (event.op === 'bulk') return entities.includes(event.entity);
  return event.op === 'put' && `${JSON.stringify(input)}`.includes(event.entityId);
}
