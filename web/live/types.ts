import type { LiveDel, LivePut, Snapshot } from '#shared/live.ts';
import type { LiveEntity, LiveRow } from '#shared/live-entities.ts';

/** An event that a query decides about itself; bulk and erased ones are answered by a new snapshot. */
export type LiveChange<E extends LiveEntity = LiveEntity> = LivePut<E> | LiveDel<E>;

export type FetchContext = {
  /** Ends the request when it takes too long. */
  signal: AbortSignal;
  /** How many rows the cached value holds, maybe none: what was extended is fetched again at that length at least. */
  limit?: number | undefined;
};
export type ApplyContext<Input> = { input: Input /** Server time, ms. */; now: number };

/** One cached thing: how to take a snapshot of it, and how an event changes it. Its cache key is `[name, input]`. */
export type LiveQuery<Input, Value, E extends LiveEntity = LiveEntity> = {
  readonly name: string;
  /** Events of these entities may concern it. */
  readonly entities: readonly E[];
  fetch(input: Input, context: FetchContext): Promise<Snapshot<Value>>;
  /**
   * Pure. Gives the same reference back if the event does not concern the value, 'refetch' if it cannot decide.
   * Rows are idempotent by version: an event (or an overlay, whose version ends in .5) that is not higher than
   * the cached row's changes nothing. Values without versions (counts) may rely on getting each event once.
   */
  apply(value: Value, event: LiveChange<E>, context: ApplyContext<Input>): Value | 'refetch';
  /** Removes what lies in these buildings. Absent: the value is fetched again. */
  lose?(value: Value, lost: (buildingId: string) => boolean): Value | 'refetch';
  /** When membership changes by the clock alone, ISO; it is fetched again then. */
  changesAt?(value: Value): string | null;
  /** How many rows the value holds, for `FetchContext.limit`. */
  size?(value: Value): number;
};

/** A query whose value grows by pages; made by `defineLiveList`. */
export type PagedQuery<Input, Value, E extends LiveEntity = LiveEntity> = LiveQuery<Input, Value, E> & {
  /** The page after the loaded ones. */
  fetchMore(input: Input, value: Value, options: { signal: AbortSignal }): Promise<Snapshot<Value>>;
  /** Joins a further page to the value; keeps the copy with the higher version of a row present in both. */
  merge(value: Value, page: Value, input: Input): Value;
};

// Methods are compared bivariantly, so that every LiveQuery is assignable to this one.
export type AnyLiveQuery = LiveQuery<unknown, unknown>;

/** Says a query with its entities' exact names, which `liveRegistry` checks. */
export function defineLiveQuery<Input, Value, const E extends LiveEntity>(
  query: LiveQuery<Input, Value, E>,
): LiveQuery<Input, Value, E> {
  return query;
}

/** What an own write is expected to do to one row. Without a base it creates the row, and `patch` is all of it. */
export type OverlayTarget<E extends LiveEntity = LiveEntity> = {
  [K in E]: {
    entity: K;
    id: string;
    base: LiveRow<K> | undefined;
    patch: Partial<LiveRow<K>>;
  };
}[E];

/** A mutation to send. The operation id is added by the live client and stays the same through every retry. */
export type LiveWrite<Input extends object, Answer extends { version: number }> = {
  input: Input;
  send(input: Input & { operationId: string }, context: { signal: AbortSignal }): Promise<Answer>;
  overlay?: OverlayTarget | undefined;
  /** Called once if the connection is lost while saving, before the truth is known. */
  onUncertain?: (() => void) | undefined;
};

/** How fresh the screen is. */
export type LiveStatus = {
  state: 'live' | 'reconnecting' | 'offline';
  /** The last contact, Unix ms by this device's clock; kept up only while not live. */
  sinceMs: number;
  /** Positions of the stream that have not come yet. */
  behind: number;
  /** True after three resets within a minute: what is shown may be old. */
  outOfDate: boolean;
};

/** Somebody else's change of a row: who (a person's id) and when (ms). */
export type Highlight = { by: string | null; at: number };
