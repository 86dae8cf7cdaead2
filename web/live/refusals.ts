import type { LiveEvent } from '#shared/live/live.ts';
import type { AnyLiveQuery } from './types.ts';

/**
 * Records that the row of a refused read was created, with the number of that moment in the order of a client's requests
 * and answers. The refusal of an earlier request is then outdated; a refusal has no position, so only this record shows
 * it.
 */
export class Refusals {
  readonly #tick: () => number;
  readonly #cameAt = new Map<string, number>();

  /** @param tick returns the next number in that order */
  constructor(tick: () => number) {
    this.#tick = tick;
  }

  /** Notes that the row which a query (by its hash) asks for has arrived while the query waits for an answer. */
  came(queryHash: string): void {
    this.#cameAt.set(queryHash, this.#tick());
  }

  /** Whether a refusal of a request with this number is outdated. */
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
 * Whether an event may contain the row that a read asks for; the read may have been refused because the row did not
 * exist. The id of the row is somewhere in the input; a bulk event may be about any row of its entity.
 */
export function concernsRead(
  event: LiveEvent,
  { entities }: Pick<AnyLiveQuery, 'entities'>,
  input: unknown,
): boolean {
  if (event.op === 'bulk') return entities.includes(event.entity);
  return event.op === 'put' && `${JSON.stringify(input)}`.includes(event.entityId);
}
