import { uuidv7 } from '#shared/ids.ts';
import {
  type AccessChange,
  type LiveEvent,
  type LiveFrame,
  type LivePosition,
  positionOf,
} from '#shared/live/live.ts';
import type { LiveScope } from './access.ts';
import { accessEffect, settleAccess } from './access.ts';
import type { Announcer } from './announcer.ts';
import { LiveCache } from './cache.ts';
import { HighlightStore } from './highlight.ts';
import { Mutations } from './mutations.ts';
import { Overlays } from './overlay.ts';
import { PresenceStore } from './presence.ts';
import { onNextFrame } from './schedule.ts';
import type { LiveClientOptions } from './stream/client-options.ts';
import { classifyFrame } from './stream/cursor.ts';
import { ResetPace } from './stream/reset-pace.ts';
import type { RingItem } from './stream/ring.ts';
import { StatusStore } from './stream/status.ts';
import { SteadyClock } from './stream/steady-clock.ts';
import { Stream } from './stream/stream.ts';

const RETRY_MS = 5000;

export type LiveClient = ReturnType<typeof createLiveClient>;

const browserOnline = () => typeof navigator === 'undefined' || navigator.onLine !== false;

/** The client's half of the live stream: one for the whole app, from sign-in to sign-out. It does not use React. */
export function createLiveClient(options: LiveClientOptions) {
  const parts = options.parts ?? {};
  const isOnline = options.isOnline ?? browserOnline;
  const status = new StatusStore(isOnline);
  const glow = new HighlightStore();
  const presence = new PresenceStore();
  const window = uuidv7();
  let announcer: Announcer | undefined;
  const overlays = new Overlays();
  const pace = new ResetPace(parts.resetPaceMs);
  /** A steady clock, because a device clock that is set back would otherwise delay a retry by hours. */
  const clock = new SteadyClock();
  let scope: LiveScope | undefined;

  const cache = new LiveCache({
    queryClient: options.queryClient,
    schedule: parts.schedule ?? onNextFrame,
    now: status.now,
    ...(parts.ring && { ring: parts.ring }),
    ...(parts.admit && { admit: parts.admit }),
    ...(parts.snapshotPause && { pause: parts.snapshotPause }),
    bulkPaceMs: parts.bulkPaceMs,
    onForeignEpoch: () => stream.resubscribe(),
    onFlushed: (items) => {
      overlays.see(items);
      for (const item of items) {
        const isNews = noteNews(item);
        options.onEvent?.(item.event);
        if (isNews) for (const listener of listeners) listener(item.event);
      }
    },
  });
  for (const query of options.queries ?? []) cache.register(query);

  const mutations = new Mutations({
    overlays,
    tick: cache.tick,
    isOnline,
    isReachable: () => status.snapshot().state !== 'offline',
    reauthenticate: options.reauthenticate,
    ...(parts.operationId && { operationId: parts.operationId }),
    ...(parts.backoff && { backoff: parts.backoff }),
  });

  const stream = (parts.stream ?? ((given) => new Stream(given)))({
    ...parts,
    url: options.url,
    window,
    cursor: () => cache.cursor,
    onFrame,
    onConnection: (connected) => {
      status.connection(connected);
      presence.connection(connected);
      if (!connected) return;
      announcer?.again();
      mutations.kick();
      cache.retry();
    },
    onEnded: (code) => {
      stop();
      options.onEnded?.(code);
    },
  });

  function onFrame(position: LivePosition, frame: LiveFrame): void {
    if (frame.present) {
      presence.take(frame.present, scope?.personId);
      announcer?.hear(frame.present.people, scope?.personId);
    }
    const verdict = classifyFrame(cache.cursor, position, frame);
    if (verdict === 'reset') {
      reset(position, frame.crowd ?? 1);
    } else if (verdict === 'gap') {
      stream.resubscribe();
      return;
    }
    // The access is applied first, because the events of the frame already match the new access.
    if (frame.access) takeAccess(frame.access);
    if (verdict === 'apply') cache.receive(position, itemsOf(frame));
    status.contact(frame.at, Math.max(0, frame.head - cache.cursor.g));
    settleOverlays();
    retry();
  }

  /**
   * The ring items of a frame. All recipients of a bulk event fetch again, so they spread their requests; the person
   * who made the change does not wait.
   */
  function itemsOf({ events, crowd = 1 }: LiveFrame): RingItem[] {
    const spreadMs = pace.spreadMs(crowd);
    return events.map((event) => {
      return event.op === 'bulk' && !isOwn(event) ? { event, spreadMs } : { event };
    });
  }

  /**
   * Takes a change of access at once and for every entry, whatever its position: the server may have known the change
   * before it read its event, so entries beyond the position of the frame may be from before the change (rule J3).
   */
  function takeAccess(told: AccessChange): void {
    if (!scope) return;
    const { settled, isCertain } = settleAccess(told, scope);
    const { lost, refetch } = accessEffect(settled, scope);
    cache.flush();
    cache.accessChanged();
    if (lost) {
      cache.lose(lost);
      overlays.lose();
    }
    if (refetch) void cache.refetchAll();
    const { version, buildings, permissions } = settled;
    if (version > scope.accessVersion) {
      scope = { ...scope, accessVersion: version, buildings, permissions };
      options.onAccess?.(settled);
    }
    if (!isCertain) void snapshots();
  }

  /**
   * Answers a reset: the position cannot be continued, so access and then everything else is fetched again (rule T3).
   */
  function reset(position: LivePosition, crowd: number): void {
    cache.reset(position);
    const { waitMs, tooOften } = pace.next(clock.now(), crowd);
    // Until the snapshots have been fetched, the screen shows that it is not live.
    status.outOfDate(tooOften || waitMs > 0);
    pace.after(waitMs, () => void snapshots());
  }

  async function snapshots(): Promise<void> {
    const before = scope;
    if (!before) return;
    try {
      const requestedAt = cache.tick();
      const asked = await options.askScope();
      if (scope?.personId !== asked.personId) return;
      if (cache.isOvertaken(requestedAt)) return await snapshots();
      if (asked.accessVersion !== scope.accessVersion) cache.accessChanged();
      scope = asked;
      const { buildings } = asked;
      if (buildings !== 'all') cache.lose((id) => !buildings.includes(id));
      await cache.refetchAll();
      status.outOfDate(cache.isBehind());
    } catch {
      // Until the server answers, nothing on screen is known to be current, so the request is repeated.
      if (stream.running) pace.after(2000, () => void snapshots());
    }
  }

  /** Whether this person made the change themselves, not a program in their name. */
  function isOwn({ actor, apiKey }: LiveEvent): boolean {
    return actor === scope?.personId && apiKey === undefined;
  }

  /** Highlights the row if another person, or a program, has just changed it. @returns whether that is so */
  function noteNews({ event }: RingItem): boolean {
    if (event.op !== 'put') return false;
    const { entity, entityId, actor, apiKey, at } = event;
    // Events replayed after an absence are not news.
    const isNews = status.now() - Date.parse(at) < 10_000 && !isOwn(event);
    if (isNews) glow.add(entity, entityId, actor, apiKey?.name ?? null);
    return isNews;
  }
  const listeners = new Set<(event: LiveEvent) => void>();

  /** Fetches new snapshots for writes that were answered but whose events have not arrived in the stream (rule J5). */
  function settleOverlays(): void {
    for (const { operationId, entity } of overlays.unsettled()) {
      if (settling.has(operationId)) continue;
      settling.add(operationId);
      void cache
        .refetchAll((query) => query.entities.includes(entity))
        .then(() => {
          settling.delete(operationId);
          overlays.remove(operationId);
        });
    }
  }
  const settling = new Set<string>();

  /** With each heartbeat, tries again to fetch entries that failed. */
  function retry(): void {
    const now = clock.now();
    if (now - retriedAt < RETRY_MS) return;
    retriedAt = now;
    cache.retry();
    if (!cache.isBehind()) status.outOfDate(false);
  }
  let retriedAt = Number.NEGATIVE_INFINITY;

  /** Starts to listen from the position of the first snapshot (rule J2). */
  function start(first: LiveScope): void {
    const position = positionOf(first);
    if (!position) throw new Error('A snapshot without a position');
    if (stream.running) stop();
    scope = first;
    cache.start(position);
    status.start();
    stream.start();
  }

  /** Stops at sign-out: closes the socket, gives up unanswered writes and forgets everything that was read. */
  function stop(): void {
    scope = undefined;
    pace.stop();
    stream.stop();
    status.stop();
    mutations.stop();
    cache.stop();
    presence.clear();
    announcer?.stop();
  }

  return {
    cache,
    overlays,
    mutations,
    status,
    glow,
    presence,
    stream,
    start,
    stop,
    /** Calls the listener with each change that another person has just made. @returns a function that removes the listener */
    onNews: (listener: (event: LiveEvent) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Announces to others where this window is; created by the first screen that announces a place. */
    announcer: (make: (window: string) => Announcer): Announcer => {
      announcer ??= make(window);
      return announcer;
    },
    /** Reconnects and retries at once: the network has returned, or the tab has become visible. */
    wake: () => {
      status.look();
      mutations.kick();
      stream.kick(status.silent);
    },
    get scope() {
      return scope;
    },
  };
}
