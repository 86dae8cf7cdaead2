import type { FastifyBaseLogger } from 'fastify';
import { type LivePosition, NO_DIGEST, type ResetReason } from '#shared/live/live.ts';
import { type AccessRecord, permissionsIn } from './access/access-events.ts';
import { accessBefore } from './access/access-history.ts';
import type { AccessMap } from './access/access-map.ts';
import { partFor, projectEvent } from './access/projection.ts';
import { sees } from './classes.ts';
import type { EventPosition, StreamEvent } from './events.ts';
import type { FanOut } from './fan-out.ts';
import type { Reader } from './reader.ts';
import { createReplayPages } from './replay-pages.ts';
import type { Ring } from './ring.ts';
import type { Semaphore } from './semaphore.ts';
import { createEventLoopQueue } from './socket/event-loop-queue.ts';
import { HIGH_WATER_BYTES, type Sender } from './socket/sender.ts';
import type { Subscriber } from './socket/subscriber.ts';
import type { EventSource } from './source.ts';

/** Largest replay; beyond it a new snapshot is cheaper (rule T3). */
const REPLAY_MAX_EVENTS = 5_000;
const REPLAY_MAX_BYTES = 2 * 1024 * 1024;
/**
 * Largest range of the log that is searched for a replay. Beyond it the search takes too long, however few events the
 * person may see.
 */
const SCAN_MAX_EVENTS = 50_000;
/** Events of the ring that are examined in one turn of the event loop. */
const RECENT_EVENTS = 1_000;
/** A socket that stays full for this long is closed (rule T5). */
const FULL_MAX_MS = 10_000;
/** How long to wait for a position that this process has not read yet (rule T3). */
const AHEAD_MS = 1_000;

export type CatchUp = {
  /** Brings a client from its position up to date, and joins it to its class. Never rejects. */
  follow(subscriber: Subscriber): Promise<void>;
  /** Starts a client at the position it sent, or at the current one. */
  begin(subscriber: Subscriber, cursor: LivePosition | 'now' | 'unreadable'): Promise<void>;
};

/** Replay, reset, and joining without a gap (rules T2, T3 and T5). */
export function createCatchUp(options: {
  source: EventSource;
  ring: Ring;
  reader: Pick<Reader, 'state' | 'reached'>;
  access: AccessMap;
  sender: Sender;
  fanOut: Pick<FanOut, 'join' | 'takeAccessDelta'>;
  /** Limits replays from the event log: few at once, and one per person (rule T6). */
  semaphore: Semaphore;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Whether the database has confirmed this person's access recently. */
  isConfirmed: (userId: string) => boolean;
  monotonicMs: () => number;
  /** The number of connected clients. */
  crowd: () => number;
  onReset?: (reason: ResetReason) => void;
  fullMaxMs?: number;
}): CatchUp {
  const { source, ring, reader, access, sender, fanOut, semaphore, log, fullMaxMs = FULL_MAX_MS } = options;
  const pages = createReplayPages({ source, monotonicMs: options.monotonicMs });
  const turns = createEventLoopQueue();

  function isGone({ state, outlet }: Subscriber): boolean {
    return state === 'gone' || !outlet.isOpen();
  }

  /**
   * Sends the next piece.
   * @returns whether nothing is left to do, because the client is live, held or gone
   */
  async function step(subscriber: Subscriber, spent: { events: number; bytes: number }): Promise<boolean> {
    if (isGone(subscriber)) return true;
    const current = access.get(subscriber.userId);
    if (current === undefined || !options.isConfirmed(subscriber.userId)) {
      subscriber.state = 'held';
      return true;
    }
    if (subscriber.outlet.bufferedBytes() > HIGH_WATER_BYTES) {
      if (!(await subscriber.outlet.waitForDrain(HIGH_WATER_BYTES, fullMaxMs))) subscriber.outlet.close(1013);
      return false;
    }
    const { ready, epoch, g: position } = reader.state();
    if (!ready) {
      await reader.reached(0, AHEAD_MS);
      return false;
    }
    if (subscriber.epoch !== epoch) return reset(subscriber, current, 'epoch');
    // Compared first, because an empty ring does not show that nothing is newer.
    const { g } = subscriber.at;
    const recent = g >= position ? [] : ring.after(g);
    if (recent !== undefined) return sendRecent(subscriber, current, recent, spent);
    if (position - g > SCAN_MAX_EVENTS) return reset(subscriber, current, 'too_old');
    return sendStored(subscriber, current, position, spent);
  }

  /**
   * Sends events from the ring. The last piece and joining the class are one synchronous step, so that no event is delivered in
   * between (rule T2).
   */
  function sendRecent(
    subscriber: Subscriber,
    current: AccessRecord,
    recent: readonly StreamEvent[],
    spent: { events: number; bytes: number },
  ): boolean {
    const piece = recent.slice(0, RECENT_EVENTS);
    const all = seenBy(piece, current);
    const visible = fitting(all);
    const isCut = piece.length < recent.length;
    const last = visible.length < all.length ? visible.at(-1) : isCut ? piece.at(-1) : undefined;
    const end = last ?? reader.state();
    if (isTooMuch(spent, visible)) return reset(subscriber, current, 'too_old');
    send(subscriber, visible, end);
    if (end.g < reader.state().g) return false;
    fanOut.join(subscriber, current);
    return true;
  }

  async function sendStored(
    subscriber: Subscriber,
    known: AccessRecord,
    position: number,
    spent: { events: number; bytes: number },
  ): Promise<boolean> {
    const { epoch, userId } = subscriber;
    const after = subscriber.at.g;
    const sought = { permissions: permissionsIn(known), buildings: known.buildings };
    // One page at a time, so that clients take turns, and a client that has left causes no more work.
    const stored = await inTurn(subscriber, () => pages.read(epoch, { after, upTo: position }, sought));
    await turns.next();
    // During the read the person may have lost access, or a restore may have changed the meaning of positions.
    const current = access.get(userId);
    if (stored === undefined || isGone(subscriber)) return true;
    if (current === undefined || !options.isConfirmed(userId)) return false;
    if (reader.state().epoch !== epoch) return false;
    const all = seenBy(stored.events, current);
    const visible = fitting(all);
    if (isTooMuch(spent, visible)) return reset(subscriber, current, 'too_old');
    // The frame ends where the search ended, or at the last event that fits into the socket.
    const last = visible.length < all.length ? visible.at(-1) : undefined;
    send(subscriber, visible, last ?? stored.end);
    return false;
  }

  /** Reads from the event log when the semaphore admits it; undefined if the client has left by then. */
  function inTurn<T>(subscriber: Subscriber, read: () => Promise<T>): Promise<T | undefined> {
    return semaphore.run(async () => (isGone(subscriber) ? undefined : await read()), subscriber.userId);
  }

  function send(subscriber: Subscriber, events: readonly StreamEvent[], end: EventPosition): void {
    // The client ignores a frame at its own position as already known, so such a frame cannot carry an access change.
    const change = end.g > subscriber.at.g ? fanOut.takeAccessDelta(subscriber) : undefined;
    sender.toOne(subscriber, events, end, { access: change });
  }

  function reset(subscriber: Subscriber, current: AccessRecord, reason: ResetReason): true {
    const { epoch, g, digest } = reader.state();
    options.onReset?.(reason);
    subscriber.epoch = epoch;
    subscriber.at = { g, digest };
    // After a reset the client fetches everything again, with its current access.
    subscriber.knownAccess = current;
    sender.toOne(subscriber, [], subscriber.at, { reset: { reason, crowd: options.crowd() } });
    fanOut.join(subscriber, current);
    return true;
  }

  async function follow(subscriber: Subscriber): Promise<void> {
    subscriber.state = 'replaying';
    const spent = { events: 0, bytes: 0 };
    try {
      do await turns.next();
      while (!(await step(subscriber, spent)));
    } catch (error) {
      log.warn({ err: error }, 'a client could not catch up');
      subscriber.outlet.close(1013);
    }
  }

  return {
    follow,
    async begin(subscriber, cursor) {
      // While the reader fills its ring, there is no position at which a client can join.
      if (!(await reader.reached(0, AHEAD_MS))) throw new Error('the reader has not read yet');
      const current = access.get(subscriber.userId);
      const { epoch, g, digest } = reader.state();
      subscriber.epoch = epoch;
      subscriber.at = { g, digest };
      subscriber.knownAccess = current;
      if (cursor === 'now' || current === undefined) return follow(subscriber);
      const refusal = await refuse(subscriber, cursor);
      if (isGone(subscriber)) return;
      if (refusal !== undefined) {
        const today = access.get(subscriber.userId);
        if (today !== undefined) reset(subscriber, today, refusal);
        return;
      }
      if (cursor === 'unreadable') return;
      subscriber.epoch = cursor.epoch;
      subscriber.at = { g: cursor.g, digest: cursor.digest ?? NO_DIGEST };
      const history = await inTurn(subscriber, () => source.accessHistory(subscriber.userId, cursor.g));
      if (history === undefined) return;
      subscriber.knownAccess = accessBefore(current, history);
      return follow(subscriber);
    },
  };

  async function refuse(
    subscriber: Subscriber,
    cursor: LivePosition | 'unreadable',
  ): Promise<ResetReason | undefined> {
    if (cursor === 'unreadable') return 'unreadable';
    if (cursor.epoch !== reader.state().epoch) return 'epoch';
    if (cursor.g > reader.state().g && !(await reader.reached(cursor.g, AHEAD_MS))) return 'ahead';
    if (cursor.digest === undefined) return undefined;
    const digest = await inTurn(subscriber, () => source.digestAt(cursor.g));
    return digest === undefined || digest === cursor.digest ? undefined : 'restored';
  }
}

/** The leading events that fit into a socket's buffer before it must be checked again; at least one. */
function fitting(events: readonly StreamEvent[]): readonly StreamEvent[] {
  let bytes = 0;
  const end = events.findIndex((event) => {
    bytes += event.bytes;
    return bytes > HIGH_WATER_BYTES;
  });
  return end === -1 ? events : events.slice(0, Math.max(1, end));
}

function isTooMuch(spent: { events: number; bytes: number }, more: readonly StreamEvent[]): boolean {
  spent.events += more.length;
  for (const { bytes } of more) spent.bytes += bytes;
  return spent.events > REPLAY_MAX_EVENTS || spent.bytes > REPLAY_MAX_BYTES;
}

/** The events that a principal may see, a display's as its view shows them. */
function seenBy(events: readonly StreamEvent[], access: AccessRecord): readonly StreamEvent[] {
  const { userId, view, buildings } = access;
  const sight = { permissions: new Set(permissionsIn(access)), buildings };
  if (view === undefined) {
    return events.flatMap((event) =>
      event.control === undefined && (event.persons.includes(userId) || sees(sight, event))
        ? partFor(event, sight.permissions)
        : [],
    );
  }
  return events.flatMap((event) =>
    event.control === undefined && sees(sight, event) ? (projectEvent(event, view) ?? []) : [],
  );
}
