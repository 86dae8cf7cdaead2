import type { LiveDel, LivePut, Snapshot } from '#shared/live/live.ts';
import type { LiveEntity, LiveRow } from '#shared/live/live-entities.ts';

/** An event that a query applies itself; bulk and erased events lead to a new snapshot. */
export type LiveChange<E extends LiveEntity = LiveEntity> = LivePut<E> | LiveDel<E>;

export type FetchContext = {
  /** Aborts the request when it takes too long. */
  signal: AbortSignal;
  /** The number of rows in the cached value, so that an extended list is fetched again with at least that length. */
  limit?: number | undefined;
};
export type ApplyContext<Input> = { input: Input /** Server time, ms. */; now: number };

/** A live query: how to fetch a snapshot, and how an event changes the value. Its cache key is `[name, input]`. */
export type LiveQuery<Input, Value, E extends LiveEntity = LiveEntity> = {
  readonly name: string;
  /** The entities whose events may concern the value. */
  readonly entities: readonly E[];
  fetch(input: Input, context: FetchContext): Promise<Snapshot<Value>>;
  /**
   * Applies an event. Pure. Returns the same reference if the event does not concern the value, and `refetch` if the
   * query cannot decide. Rows are idempotent by version: an event (or an overlay, whose version ends in .5) whose version
   * is not higher than the cached row's changes nothing. Values without versions (counts) may rely on receiving each
   * event once.
   */
  apply(value: Value, event: LiveChange<E>, context: ApplyContext<Input>): Value | 'refetch';
  /** Removes the data of lost buildings. If absent, the value is fetched again. */
  lose?(value: Value, lost: (buildingId: string) => boolean): Value | 'refetch';
  /** The moment (ISO) at which the value changes by time alone; it is then fetched again. */
  changesAt?(value: Value): string | null;
  /** The number of rows in the value, for `FetchContext.limit`. */
  size?(value: Value): number;
};

/** A query whose value grows by pages; made by `defineLiveList`. */
export type PagedQuery<Input, Value, E extends LiveEntity = LiveEntity> = LiveQuery<Input, Value, E> & {
  /** Fetches the page after the loaded ones. */
  fetchMore(input: Input, value: Value, options: { signal: AbortSignal }): Promise<Snapshot<Value>>;
  /** Adds a further page to the value; of a row in both, the copy with the higher version stays. */
  merge(value: Value, page: Value, input: Input): Value;
};

// Methods are compared bivariantly, so that every LiveQuery is assignable to this type.
export type AnyLiveQuery = LiveQuery<unknown, unknown>;

/** Defines a query with the exact names of its entities, which `everyEntity` checks. */
export function defineLiveQuery<Input, Value, const E extends LiveEntity>(
  query: LiveQuery<Input, Value, E>,
): LiveQuery<Input, Value, E> {
  return query;
}

/** The expected effect of the person's own write on one row. Without a base it creates the row, and `patch` is the whole row. */
export type OverlayTarget<E extends LiveEntity = LiveEntity> = {
  [K in E]: {
    entity: K;
    id: string;
    base: LiveRow<K> | undefined;
    patch: Partial<LiveRow<K>>;
  };
}[E];

/** A write to send. The live client adds the operation id, which stays the same in every retry. */
export type LiveWrite<Input extends object, Answer extends { version: number }> = {
  input: Input;
  send(input: Input & { operationId: string }, context: { signal: AbortSignal }): Promise<Answer>;
  overlay?: OverlayTarget | undefined;
  /** Set by a form that may submit the same write twice, in two tabs. If absent, each write gets a new id. */
  operationId?: string | undefined;
  /** Called once if the connection is lost while saving, before the outcome is known. */
  onUncertain?: (() => void) | undefined;
};

/** How a write is stored on this device. The send queue then sends it until it is known whether it arrived. */
export type KeepLater = {
  /** Stores the write under this operation id; rejects if that is impossible. */
  keep(operationId: string): Promise<void>;
  /** Whether another write about the same row waits on this device; this write must not overtake it. */
  mustWait?(): boolean;
};

/** How fresh the screen is. */
export type LiveStatus = {
  state: 'live' | 'reconnecting' | 'offline';
  /** The time of the last contact, Unix ms by this device's clock; updated only while not live. */
  sinceMs: number;
  /** The number of positions of the stream that have not arrived yet. */
  behind: number;
  /** True after three resets within a minute: the screen may be out of date. */
  outOfDate: boolean;
};

/** Another person's change of a row: their id, and the time (ms). */
export type Highlight = { by: string | null; apiKeyName: string | null; at: number };
