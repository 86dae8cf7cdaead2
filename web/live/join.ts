import {
  type LiveEvent,
  type LivePosition,
  parsePosition,
  parseVisible,
  type Snapshot,
} from '#shared/live.ts';
import type { RingItem } from './ring.ts';
import type { AnyLiveQuery, LiveChange } from './types.ts';

/**
 * What a value holds: the events up to `g` and those of transactions that were `visible` (rule J1). `seen` names the
 * latter where a server of the version before has answered.
 */
export type SnapshotCoverage = { g: number; visible?: string | undefined; seen: ReadonlySet<string> };

/**
 * A cached value and which events it holds. Of a list of several pages it is what the first holds: the others were
 * asked for later, so they hold all of that and perhaps more, and an event that a page holds already changes no row.
 */
export type LiveEntry<Value = unknown> = {
  readonly value: Value;
  /** Bookkeeping, nothing that is shown: moved on in place when the events passed changed nothing. */
  held: SnapshotCoverage;
  /** Order of the request that brought it among all requests and answers of this client. */
  readonly requestedAt: number;
  /** Rises with every reset; an entry of an older one waits for its new snapshot. */
  readonly generation: number;
  /** A new snapshot has been called for since, and is not here yet. */
  owed: boolean;
};

/** The stream as far as it has been applied. */
export type Applied = {
  position: LivePosition;
  from: number;
  after(g: number): RingItem[];
};

export type Joined =
  | { verdict: 'joined'; value: unknown; held: SnapshotCoverage }
  /** `waitMs` from now, a new snapshot is to be asked for. */
  | { verdict: 'refetch'; value: unknown; held: SnapshotCoverage; waitMs: number }
  /** Nothing can be said: older than the ring, or of another epoch. */
  | { verdict: 'again' };

/** What an answer holds before any event is applied to it; undefined where it names no position. */
export function coverageOf(snapshot: Snapshot<unknown>): (SnapshotCoverage & { epoch: string }) | undefined {
  const asOf = parsePosition(snapshot.asOf);
  return asOf && { ...asOf, visible: snapshot.visible, seen: new Set(snapshot.seen) };
}

/**
 * Brings a value up to the applied position: every event of the ring that it does not hold yet, once (rule J3).
 * 'refetch' still gives the best value that there is, to be shown until the new snapshot is here.
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
  const refetch = (afterMs = 0) => {
    waitMs = Math.min(waitMs, afterMs);
  };
  const take = (next: unknown) => {
    if (next === 'refetch') refetch();
    else value = next;
  };
  for (const item of items) {
    if (item.kind === 'access') {
      if (item.refetch) refetch();
      if (item.lost) take(query.lose ? query.lose(value, item.lost) : 'refetch');
      continue;
    }
    if (!query.entities.includes(item.event.entity) || isHeld(item.event)) continue;
    if (isChange(item.event)) take(query.apply(value, item.event, context));
    else refetch(item.spreadMs);
  }
  const joined = { value, held: advance(held, stream.position.g, items) };
  return Number.isFinite(waitMs)
    ? { ...joined, verdict: 'refetch', waitMs }
    : { ...joined, verdict: 'joined' };
}

function holds(held: SnapshotCoverage): (event: LiveEvent) => boolean {
  const isVisible = parseVisible(held.visible);
  return ({ tx, outboxId }) =>
    isVisible === undefined || tx === undefined ? held.seen.has(outboxId) : isVisible(tx);
}

/** A bulk or erased event says only that something happened. */
export function isChange(event: LiveEvent): event is LiveChange {
  return event.op !== 'bulk' && !('erased' in event);
}

function advance(held: SnapshotCoverage, g: number, passed: readonly RingItem[]): SnapshotCoverage {
  if (held.g >= g) return held;
  if (held.seen.size === 0) return { ...held, g };
  const seen = new Set(held.seen);
  for (const item of passed) if (item.kind === 'event') seen.delete(item.event.outboxId);
  return { ...held, g, seen };
}
