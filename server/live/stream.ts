import type { FastifyBaseLogger } from 'fastify';
import { NO_DIGEST, parsePosition, type ResetReason } from '#shared/live/live.ts';
import type { AccessMap } from './access/access-map.ts';
import { createAccessReads, type ReadAccess, type ReadVersions } from './access/access-reads.ts';
import { createPeople } from './access/people.ts';
import { createCatchUp } from './catch-up.ts';
import { createClassIndex } from './classes.ts';
import type { AccessControl, Control } from './events.ts';
import { createFanOut } from './fan-out.ts';
import type { EncodeTail } from './frames.ts';
import type { PresenceNote } from './presence/presence.ts';
import { createPresenceFeed, type PresenceFeed } from './presence/presence-feed.ts';
import type { Pass, Reader } from './reader.ts';
import type { Ring } from './ring.ts';
import type { Semaphore } from './semaphore.ts';
import { createSender } from './socket/sender.ts';
import type { Subscriber, SubscriberSocket } from './socket/subscriber.ts';
import type { EventSource } from './source.ts';

export type StreamStats = {
  subscribers: number;
  classes: number;
  behind: number;
  held: number;
  resets: Partial<Record<ResetReason, number>>;
};

/** The subscribers that follow the stream through this process. */
export type Stream = {
  /**
   * `cursor` is unvalidated input of the client; if undefined, the client gets events from now on. Never rejects; a failure
   * closes the socket.
   */
  subscribe(who: {
    userId: string;
    requestId: string;
    outlet: SubscriberSocket;
    cursor: unknown;
  }): Subscriber;
  unsubscribe(subscriber: Subscriber): void;
  deliver(pass: Pass): void;
  /** Presence (rule T8). */
  presence: Omit<PresenceFeed, 'welcome' | 'narrow'>;
  /** Earlier positions are no longer valid: every client is reset (rule T3). */
  startOver(): void;
  /** Reads the access of connected people again if it is due. Called about once a second. */
  refresh(): Promise<void>;
  stats(): StreamStats;
};

/** A person's access is read again after this time (rule R3). */
const REFRESH_AFTER_MS = 30_000;
/** Without an answer for this long, nothing is sent to the person. */
const UNCONFIRMED_MAX_MS = 60_000;
const SWEEP_MS = 1_000;

export function createStream(options: {
  source: EventSource;
  ring: Ring;
  reader: Pick<Reader, 'state' | 'reached'>;
  access: AccessMap;
  readAccess: ReadAccess;
  readVersions: ReadVersions;
  semaphore: Semaphore;
  replaySemaphore: Semaphore;
  encodeTail: EncodeTail;
  /** Sends a presence note to all processes. */
  publishNote: (note: PresenceNote) => void;
  monotonicMs: () => number;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  onSessionsEnded: (control: Extract<Control, { kind: 'sessions_ended' }>) => void;
  onAccessChanged: (control: AccessControl) => void;
  refreshAfterMs?: number;
  unconfirmedMaxMs?: number;
  fullMaxMs?: number;
}): Stream {
  const { source, ring, reader, access, semaphore, monotonicMs, log } = options;
  const { refreshAfterMs = REFRESH_AFTER_MS, unconfirmedMaxMs = UNCONFIRMED_MAX_MS } = options;
  const people = createPeople();
  const classes = createClassIndex<Subscriber>();
  const resets: StreamStats['resets'] = {};
  let sweptAt = 0;

  const sender = createSender({ state: reader.state, encodeTail: options.encodeTail, monotonicMs, onBehind });
  const presence = createPresenceFeed({ classes, sender, publish: options.publishNote, monotonicMs });
  const fanOut = createFanOut({
    access,
    classes,
    people,
    sender,
    monotonicMs,
    beforePass: holdUnconfirmed,
    onSessionsEnded: options.onSessionsEnded,
    onAccessChanged(control) {
      presence.narrow(control);
      options.onAccessChanged(control);
    },
    onAccessUnknown(userId) {
      for (const subscriber of people.of(userId)) hold(subscriber);
      void refreshOne(userId);
    },
    onBehind,
    onJoined: presence.welcome,
  });
  const catchUp = createCatchUp({
    source,
    ring,
    reader,
    access,
    sender,
    fanOut,
    monotonicMs,
    semaphore: options.replaySemaphore,
    log,
    isConfirmed,
    ...(options.fullMaxMs === undefined ? {} : { fullMaxMs: options.fullMaxMs }),
    crowd: () => people.size(),
    onReset(reason) {
      resets[reason] = (resets[reason] ?? 0) + 1;
    },
  });
  const reads = createAccessReads({
    access,
    readAccess: options.readAccess,
    readVersions: options.readVersions,
    monotonicMs,
    log,
    refreshAfterMs,
    onConfirmed(userId, changed) {
      if (changed) fanOut.move(userId);
      for (const subscriber of people.of(userId))
        if (subscriber.state === 'held') void catchUp.follow(subscriber);
    },
  });

  function onBehind(subscriber: Subscriber): void {
    fanOut.leave(subscriber);
    void catchUp.follow(subscriber);
  }

  function isConfirmed(userId: string): boolean {
    const at = access.confirmedAt(userId);
    return at !== undefined && monotonicMs() - at <= unconfirmedMaxMs;
  }

  /** Stops sending to a client until its access has been confirmed. A client that is catching up checks this itself. */
  function hold(subscriber: Subscriber): void {
    if (subscriber.state !== 'live') return;
    fanOut.leave(subscriber);
    subscriber.state = 'held';
  }

  function holdUnconfirmed(): void {
    if (monotonicMs() - sweptAt < SWEEP_MS) return;
    sweptAt = monotonicMs();
    for (const subscriber of people.all()) if (!isConfirmed(subscriber.userId)) hold(subscriber);
  }

  async function refreshOne(userId: string): Promise<void> {
    try {
      await reads.refresh(userId);
    } catch (error) {
      log.warn({ err: error }, 'the access of a person could not be read');
    }
  }

  async function begin(subscriber: Subscriber, cursor: unknown): Promise<void> {
    try {
      await semaphore.run(() => reads.refresh(subscriber.userId));
      if (subscriber.state === 'gone') return;
      if (access.get(subscriber.userId)?.disabled === true) subscriber.outlet.endSession();
      else
        await catchUp.begin(
          subscriber,
          cursor === undefined ? 'now' : (parsePosition(cursor) ?? 'unreadable'),
        );
    } catch (error) {
      log.warn({ err: error }, 'a client could not be subscribed');
      subscriber.outlet.close(1013);
    }
  }

  function count(state: Subscriber['state']): number {
    let found = 0;
    for (const subscriber of people.all()) if (subscriber.state === state) found += 1;
    return found;
  }

  return {
    subscribe({ userId, requestId, outlet, cursor }) {
      const subscriber: Subscriber = {
        userId,
        requestId,
        outlet,
        epoch: '',
        at: { g: 0, digest: NO_DIGEST },
        readsDigests: parsePosition(cursor)?.digest !== undefined,
        knownAccess: undefined,
        class: undefined,
        knowsPresence: false,
        state: 'preparing',
      };
      people.add(subscriber);
      access.retain(userId);
      void begin(subscriber, cursor);
      return subscriber;
    },
    unsubscribe(subscriber) {
      if (subscriber.state === 'gone') return;
      subscriber.state = 'gone';
      fanOut.leave(subscriber);
      people.remove(subscriber);
      access.release(subscriber.userId);
    },
    deliver(pass) {
      try {
        fanOut.deliver(pass);
      } catch (error) {
        log.error({ err: error }, 'events could not be sent: all clients are asked to reconnect');
        sender.endPass();
        // The reader has moved past these events, and it is unknown which were sent. Clients reconnect with their position.
        for (const { outlet } of [...people.all()]) outlet.close(1013);
      }
    },
    presence,
    startOver() {
      access.forget(monotonicMs());
      for (const subscriber of people.all()) hold(subscriber);
      void reads.refreshAll();
    },
    refresh: () => reads.refreshAll(),
    stats: () => ({
      subscribers: people.size(),
      classes: classes.size(),
      behind: count('replaying'),
      held: count('held'),
      resets: { ...resets },
    }),
  };
}
