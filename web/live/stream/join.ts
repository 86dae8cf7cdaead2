import {
  type LiveEvent,
  type LivePosition,
  parsePosition,
  parseVisible,
  type Snapshot,
} from '#shared/live/live.ts';
import type { AnyLiveQuery, LiveChange } from '../types.ts';
import type { RingItem } from './ring.ts';

/**
 * The events that a value contains: those up to `g`, and those of the transactions in `visible` (rule J1).
 */
export type SnapshotCoverage = { g: number; visible?: string | undefined };

/**
 * A cached value with the record of which events it contains. For a list of several pages these are the events in the
 * first page: later pages contain all of them and perhaps more, and applying an event again changes no row.
 */
export type LiveEntry<Value = unknown> = {
  readonly value: Value;
  /** Bookkeeping that is not shown: it is updated in place if the passed events changed nothing. */
  held: SnapshotCoverage;
  /** The number of the request that fetched the value, in the order of all requests and answers of this client. */
  readonly requestedAt: number;
  /** Rises with every reset; an entry of an older generation waits for its new snapshot. */
  readonly generation: number;
  /** A new snapshot is needed and has not arrived yet. */
  owed: boolean;
};

/** The stream up to the applied position. */
export type Applied = {
  position: LivePosition;
  from: number;
  after(g: number): RingItem[];
};

export type Joined =
  | { verdict: 'joined'; value: unknown; held: SnapshotCoverage }
  /** A new snapshot must be fetched after `waitMs`. `paced`: only because of bulk events, whose requests are throttled. */
  | { verdict: 'refetch'; value: unknown; held: SnapshotCoverage; waitMs: number; paced: boolean }
  /** The value cannot be joined: it is older than the ring, or of another epoch. */
  | { verdict: 'again' };

/** The events that an answer contains before any is applied to it; undefined if it has no position. */
export function coverageOf(snapshot: Snapshot<unknown>): (SnapshotCoverage & { epoch: string }) | undefined {
  const asOf = parsePosition(snapshot.asOf);
  return asOf && { ...asOf, visible: snapshot.visible };
}

/**
 * Brings a value up to the applied position: applies every event of the ring that it does not contain yet, once (rule
 * J3). `refetch` still returns the best available value, to be shown until the new snapshot arrives.
 */
export function joinRing(
  query: AnyLiveQuery,
  entry: Pick<LiveEntry, 'value' | 'held'>,
  stream: Applied,
  context: { input: unknown; now: number },
): Joined {
  const { held } = entry;
  if (held.g < stream.from) return { verdict: 'again' };
  const items = stream.after(held.g);
  const isHeld = holds(held);
  let value = entry.value;
  let waitMs = Number.POSITIVE_INFINITY;
  let paced = true;
  const refetch = (afterMs?: number) => {
    waitMs = Math.min(waitMs, afterMs ?? 0);
    paced &&= afterMs !== undefined;
  };
  const take = (next: unknown) => {
    if (next === 'refetch') refetch();
    else value = next;
  };
  for (const { event, spreadMs } of items) {
    if (!query.entities.includes(event.entity) || isHeld(event)) continue;
    if (isChange(event)) take(query.apply(value, event, context));
    else refetch(spreadMs);
  }
  const joined = { value, held: advance(held, stream.position.g) };
  return Number.isFinite(waitMs)
    ? { ...joined, verdict: 'refetch', waitMs, paced }
    : { ...joined, verdict: 'joined' };
}

function holds(held: SnapshotCoverage): (event: LiveEvent) => boolean {
  const isVisible = parseVisible(held.visible);
  return ({ tx }) => isVisible !== undefined && tx !== undefined && isVisible(tx);
}

/** Whether an event carries a change of its row; bulk and erased events do not. */
export function isChange(event: LiveEvent): event is LiveChange {
  return event.op !== 'bulk' && !('erased' in event);
}

function advance(held: SnapshotCoverage, g: number): SnapshotCoverage {
  return held.g >= g ? held : { ...held, g };
}
