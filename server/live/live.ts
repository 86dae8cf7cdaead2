import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnyRouter } from '@trpc/server';
import type { FastifyBaseLogger } from 'fastify';
import type { ClientOf } from '../adapters/network/client-of.ts';
import { withTimeout } from '../adapters/with-timeout.ts';
import { type AccessMap, createAccessMap } from './access/access-map.ts';
import type { ReadAccess, ReadVersions } from './access/access-reads.ts';
import { createPositionFile } from './epoch.ts';
import { type EncodeTail, encodeTail } from './frames.ts';
import { CHANNEL, createListener } from './listen.ts';
import { encodeNote, readPresence } from './presence/presence.ts';
import { createReader } from './reader.ts';
import { createRing } from './ring.ts';
import { createSemaphore } from './semaphore.ts';
import type { Sequencer } from './sequencer.ts';
import type { Handshake, LiveSession } from './socket/connection.ts';
import { createSockets, type ReadSessions } from './socket/socket.ts';
import { createSocketWriter, type WriteMode } from './socket/socket-writer.ts';
import { createEventSource, type EventSource } from './source.ts';
import { createStream } from './stream.ts';
import { createWatchedPool } from './watched-pool.ts';

/** How many handshakes may read the database at the same time (rule T6). */
const PERMITS = 50;
/** How many replays may read the database at the same time. The pool has one more connection, for the beat. */
const REPLAY_PERMITS = 3;
/** Longest queue of handshakes or replays, and longest wait in it. */
const QUEUE_MAX = 5_000;
const QUEUE_MAX_MS = 20_000;
const TICK_MS = 1_000;
/** Sessions are read again after this time (rule R3). */
const SESSIONS_AFTER_MS = 30_000;
const ANSWER_MS = 10_000;
const READ_ANSWER_MS = 5_000;

export type LiveOptions = {
  /** The live stream opens its own connections, so that neither busy commands nor replays delay new events. */
  databaseUrl: string;
  log: FastifyBaseLogger;
  clock: { now(): Date };
  sequencer: Pick<Sequencer, 'onSequenced'>;
  /** Declares `live.stream`; see live.router.ts. */
  router: AnyRouter;
  /** Builds the context for the router's procedures; called for each subscription. */
  createContext: (handshake: Handshake, session: LiveSession) => Promise<object>;
  authenticate: (handshake: Handshake) => Promise<LiveSession | undefined>;
  clientOf: ClientOf;
  readAccess: ReadAccess;
  readVersions: ReadVersions;
  readSessions: ReadSessions;
  /** File that stores the position between runs (rule T3); absent: it is not stored. */
  positionFile?: string;
  /** Replacements for parts and shorter times, for tests and fault injection. */
  parts?: Partial<{
    source: (usual: EventSource) => EventSource;
    access: AccessMap;
    encodeTail: EncodeTail;
    writing: WriteMode;
    monotonicMs: () => number;
    ringCapacity: number;
    pollMs: number;
    beatMs: number;
    silenceMs: number;
    refreshAfterMs: number;
    unconfirmedMaxMs: number;
    pingEveryMs: number;
    pongMs: number;
    fullMaxMs: number;
    replayAnswerMs: number;
  }>;
};

export type Live = {
  /** Reads the newest events and begins to listen. No client is served before it resolves. */
  start(): Promise<void>;
  /** The caller has checked path and origin. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Registers a listener for work other than the sockets. It is called when a change of people's access or sessions is
   * committed, whichever process made it.
   */
  onAccessChanged(listener: (userIds: readonly string[]) => void): void;
  /** Metrics for the operator. */
  figures(): Record<string, number>;
  /** Closes all sockets with 1012, so that clients reconnect to another process during a deploy. */
  drain(): Promise<void>;
  stop(): Promise<void>;
};

/** The live stream of one process; the rules are in SPEC.md. */
export function createLive(options: LiveOptions): Live {
  const { databaseUrl, log, clock, parts = {} } = options;
  const monotonicMs = parts.monotonicMs ?? (() => performance.now());

  const readerPool = createWatchedPool({
    databaseUrl,
    name: 'lintel reader',
    max: 1,
    answerMs: READ_ANSWER_MS,
    planning: 'byIndex',
    log,
  });
  const replayPool = createWatchedPool({
    databaseUrl,
    name: 'lintel replays',
    max: REPLAY_PERMITS + 1,
    answerMs: parts.replayAnswerMs ?? ANSWER_MS,
    planning: 'forValues',
    log,
  });
  const publish = (channel: string, payload: string) =>
    replayPool.run((sql) => sql`select pg_notify(${channel}, ${payload})`);
  const usualSource = createEventSource({ reader: readerPool, replays: replayPool });
  const source = parts.source?.(usualSource) ?? usualSource;
  const access = parts.access ?? createAccessMap();
  const queue = { maxWaiting: QUEUE_MAX, maxWaitMs: QUEUE_MAX_MS };
  const semaphore = createSemaphore({ permits: PERMITS, ...queue });
  const replaySemaphore = createSemaphore({ permits: REPLAY_PERMITS, ...queue });
  const ring = createRing(parts.ringCapacity === undefined ? {} : { capacity: parts.ringCapacity });
  const keeper =
    options.positionFile === undefined
      ? undefined
      : createPositionFile(options.positionFile, (error) =>
          log.warn({ err: error }, 'the position could not be kept'),
        );

  const accessListeners: ((userIds: readonly string[]) => void)[] = [];
  const tellAccessChanged = (userIds: readonly string[]) => {
    for (const listener of accessListeners) listener(userIds);
  };

  const reader = createReader({
    source,
    ring,
    now: () => clock.now(),
    log,
    onPass: (pass) => stream.deliver(pass),
    onEpoch: () => stream.startOver(),
    onPosition: (position) => keeper?.save(position),
    ...(parts.pollMs === undefined ? {} : { pollMs: parts.pollMs }),
    ...(parts.ringCapacity === undefined ? {} : { backlog: parts.ringCapacity }),
  });
  const stream = createStream({
    source,
    ring,
    reader,
    access,
    readAccess: options.readAccess,
    readVersions: options.readVersions,
    semaphore,
    replaySemaphore,
    encodeTail: parts.encodeTail ?? encodeTail,
    publishNote: (note) => {
      publish(CHANNEL, encodeNote(note)).catch((error: unknown) =>
        log.warn({ err: error }, 'who has left could not be told'),
      );
    },
    monotonicMs,
    log,
    onSessionsEnded(control) {
      sockets.endSessions(control);
      tellAccessChanged([control.userId]);
    },
    onAccessChanged: ({ people }) => tellAccessChanged(people),
    ...(parts.refreshAfterMs === undefined ? {} : { refreshAfterMs: parts.refreshAfterMs }),
    ...(parts.unconfirmedMaxMs === undefined ? {} : { unconfirmedMaxMs: parts.unconfirmedMaxMs }),
    ...(parts.fullMaxMs === undefined ? {} : { fullMaxMs: parts.fullMaxMs }),
  });
  const sockets = createSockets({
    host: {
      stream,
      router: options.router,
      createContext: (handshake, session) =>
        semaphore.run(() => withTimeout(ANSWER_MS, options.createContext(handshake, session))),
      write: createSocketWriter(parts.writing ?? 'socket'),
      log,
    },
    semaphore,
    authenticate: options.authenticate,
    clientOf: options.clientOf,
    readSessions: options.readSessions,
    now: () => clock.now(),
    log,
    ...(parts.pingEveryMs === undefined ? {} : { pingEveryMs: parts.pingEveryMs }),
    ...(parts.pongMs === undefined ? {} : { pongMs: parts.pongMs }),
  });
  const listener = createListener({
    databaseUrl,
    publish,
    onNotify: reader.wake,
    onNote: (payload) => {
      const note = readPresence(payload);
      if (note !== undefined) stream.presence.hear(note);
    },
    log,
    monotonicMs,
    ...(parts.beatMs === undefined ? {} : { beatMs: parts.beatMs }),
    ...(parts.silenceMs === undefined ? {} : { silenceMs: parts.silenceMs }),
  });

  let sessionsReadAt = monotonicMs();
  let refreshing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** One timer serves all sockets and people. */
  function tick(): void {
    sockets.keepAlive();
    stream.presence.sweep();
    refreshing ??= refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'sessions could not be read'))
      .finally(() => {
        refreshing = undefined;
      });
  }
  async function refresh(): Promise<void> {
    await stream.refresh();
    const now = monotonicMs();
    if (now - sessionsReadAt < SESSIONS_AFTER_MS) return;
    await withTimeout(ANSWER_MS, sockets.checkSessions());
    sessionsReadAt = now;
  }

  return {
    async start() {
      await reader.start(await keeper?.load());
      options.sequencer.onSequenced(reader.wake);
      listener.start();
      timer = setInterval(tick, TICK_MS);
      timer.unref();
    },
    handleUpgrade: sockets.handleUpgrade,
    onAccessChanged: (listener) => void accessListeners.push(listener),
    figures() {
      const { g, head, at, halted } = reader.state();
      const { subscribers, classes, behind, held, resets } = stream.stats();
      return {
        sockets: sockets.size(),
        subscribers,
        classes,
        behind,
        held,
        waiting: semaphore.waiting() + replaySemaphore.waiting(),
        resets: Object.values(resets).reduce((sum, count) => sum + count, 0),
        position: g,
        head,
        halted: halted ? 1 : 0,
        read_age_seconds: at === '' ? 0 : (clock.now().getTime() - Date.parse(at)) / 1_000,
        listen_silence_seconds: listener.silentMs() / 1_000,
        ring: ring.size(),
      };
    },
    drain: sockets.drain,
    async stop() {
      clearInterval(timer);
      stream.presence.stop();
      await sockets.drain();
      await listener.stop();
      await reader.stop();
      await refreshing;
      await keeper?.close();
      await Promise.all([readerPool.end(), replayPool.end()]);
    },
  };
}
