import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ClientOf } from '../../adapters/network/client-of.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import { withTimeout } from '../../adapters/with-timeout.ts';
import type { Control } from '../events.ts';
import { DISPLAY_SOCKET_PATH } from '../live-path.ts';
import type { Semaphore } from '../semaphore.ts';
import { Connection, type ConnectionHost, type Handshake, type LiveSession } from './connection.ts';

/** Limits of rule T7. */
const MESSAGE_MAX_BYTES = 64 * 1024;
const SOCKETS_PER_PERSON = 10;
/** A socket without a session is closed after this time; until then, one message is answered with `unauthenticated`. */
const STRANGER_MS = 2_000;
/** The last part of this time, in which the client can read the answer. */
const STRANGER_GRACE_MS = 500;
/** Sockets without a session per network. */
const STRANGERS_PER_NETWORK = 50;
const PING_EVERY_MS = 20_000;
/** A ping without an answer after this time counts as missed. */
const PONG_MS = 5_000;
/** Sessions per query. */
const SESSIONS_AT_ONCE = 1_000;
const DRAIN_MS = 2_000;
const ANSWER_MS = 10_000;

/** Returns the given sessions that are still valid, each with the hashes of the tokens whose sockets may stay. */
export type ReadSessions = (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

export type Sockets = {
  /** The caller has checked path and origin. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  endSessions(control: Extract<Control, { kind: 'sessions_ended' }>): void;
  /** Closes sockets of sessions that are no longer in the database, and of tokens replaced by a change of password. */
  checkSessions(): Promise<void>;
  /** Called once a second: pings a twentieth of the sockets, and terminates those that missed the last ping. */
  keepAlive(): void;
  /** Asks every client to reconnect to another process, and accepts no new ones. */
  drain(): Promise<void>;
  size(): number;
};

/** The sockets of the live stream: opening, limits, keep-alive and closing (rules T6 and T7). */
export function createSockets(options: {
  host: ConnectionHost;
  semaphore: Semaphore;
  authenticate: (handshake: Handshake) => Promise<LiveSession | undefined>;
  clientOf: ClientOf;
  readSessions: ReadSessions;
  now: () => Date;
  log: Pick<FastifyBaseLogger, 'warn'>;
  pingEveryMs?: number;
  pongMs?: number;
}): Sockets {
  const { host, semaphore, authenticate, clientOf, readSessions, now, log } = options;
  const { pingEveryMs = PING_EVERY_MS, pongMs = PONG_MS } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression takes seven times the CPU, and shared frames would overtake compressed ones (rule F3).
    perMessageDeflate: false,
    maxPayload: MESSAGE_MAX_BYTES,
  });
  const connections = new Set<Connection>();
  const byPerson = new Map<string, Set<Connection>>();
  const strangers = new Map<string, number>();
  const slots: Set<Connection>[] = Array.from(
    { length: Math.max(1, Math.round(pingEveryMs / 1_000)) },
    () => new Set(),
  );
  let slot = 0;
  let opened = 0;
  let draining = false;

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const handshake: Handshake = {
      cookie: request.headers.cookie,
      ...clientOf(request),
      isDisplay: request.url === DISPLAY_SOCKET_PATH,
    };
    // Taken before the session is read: a session that ends after this moment is reported by an event.
    const openedAt = now().toISOString();
    const session = await semaphore.run(() => withTimeout(ANSWER_MS, authenticate(handshake)));
    if (socket.destroyed) return;
    if (session === undefined && !admitStranger(networkOf(handshake.address), socket)) return refuse(socket);
    server.handleUpgrade(request, socket, head, (ws) => accept(ws, socket, { session, handshake, openedAt }));
  }

  function accept(ws: WebSocket, socket: Duplex, who: ConstructorParameters<typeof Connection>[3]): void {
    const connection = new Connection(host, ws, socket, who);
    const own = who.session === undefined ? undefined : ownOf(who.session.userId);
    const tooMany = own !== undefined && !makeRoom(own);
    if (draining || tooMany || ws.extensions !== '') {
      connection.close(draining ? 1012 : 1013);
      return;
    }
    const ownSlot = slots[opened % slots.length];
    opened += 1;
    const sets = [connections, ownSlot, ...(who.session === undefined ? [] : [ownOf(who.session.userId)])];
    for (const set of sets) set?.add(connection);
    ws.once('close', () => {
      for (const set of sets) set?.delete(connection);
      if (who.session !== undefined && byPerson.get(who.session.userId)?.size === 0) {
        byPerson.delete(who.session.userId);
      }
    });
    if (who.session === undefined) {
      setTimeout(() => connection.endSession(), STRANGER_MS - STRANGER_GRACE_MS).unref();
    }
  }

  /**
   * Counts a socket without a session, and destroys it after STRANGER_MS, even if the client does not answer the close.
   * @returns whether its network had room for it
   */
  function admitStranger(network: string, socket: Duplex): boolean {
    const count = strangers.get(network) ?? 0;
    if (count >= STRANGERS_PER_NETWORK) return false;
    strangers.set(network, count + 1);
    const end = setTimeout(() => socket.destroy(), STRANGER_MS).unref();
    socket.once('close', () => {
      clearTimeout(end);
      const left = (strangers.get(network) ?? 1) - 1;
      if (left > 0) strangers.set(network, left);
      else strangers.delete(network);
    });
    return true;
  }

  /**
   * Makes room if the person has too many sockets, so that half-open sockets do not lock the person out. A socket that is
   * closing or has missed a ping is terminated. If there is none, all are pinged, and the next attempt may succeed.
   * @returns whether there is room for one more
   */
  function makeRoom(own: Set<Connection>): boolean {
    if (own.size < SOCKETS_PER_PERSON) return true;
    for (const connection of own) {
      if (connection.isOpen() && !connection.hasMissedPing(pongMs)) continue;
      own.delete(connection);
      connection.terminate();
      return true;
    }
    for (const connection of own) if (!connection.hasMissedPing(0)) connection.ping();
    return false;
  }

  function ownOf(userId: string): Set<Connection> {
    let own = byPerson.get(userId);
    if (own === undefined) {
      own = new Set();
      byPerson.set(userId, own);
    }
    return own;
  }

  async function endInvalid(among: Iterable<Connection>): Promise<void> {
    const signedIn = [...among].filter(({ session }) => session !== undefined);
    const ids = [...new Set(signedIn.flatMap(({ session }) => session?.sessionId ?? []))];
    if (ids.length === 0) return;
    for (let start = 0; start < ids.length; start += SESSIONS_AT_ONCE) {
      const asked = new Set(ids.slice(start, start + SESSIONS_AT_ONCE));
      const valid = await readSessions([...asked]);
      for (const connection of signedIn) {
        const { sessionId, tokenHash } = connection.session ?? {};
        if (sessionId === undefined || tokenHash === undefined || !asked.has(sessionId)) continue;
        const tokens = valid.get(sessionId);
        if (tokens === undefined) connection.endSession();
        // The client that has the new token reconnects with it.
        else if (!tokens.includes(tokenHash)) connection.close(1012);
      }
    }
  }

  return {
    handleUpgrade(request, socket, head) {
      if (draining) {
        refuse(socket);
        return;
      }
      open(request, socket, head).catch((error: unknown) => {
        log.warn({ err: error }, 'a live socket could not be opened');
        refuse(socket);
      });
    },
    endSessions({ userId, sessions, at }) {
      const later: Connection[] = [];
      for (const connection of [...(byPerson.get(userId) ?? [])]) {
        if (sessions !== 'all' && !sessions.includes(connection.session?.sessionId ?? '')) continue;
        // "All" means all sessions at that time. A socket opened later may have a newer session, so the database is asked.
        if (sessions === 'all' && connection.openedAt > at) later.push(connection);
        else connection.endSession();
      }
      endInvalid(later).catch((error: unknown) => log.warn({ err: error }, 'sessions could not be read'));
    },
    checkSessions: () => endInvalid(connections),
    keepAlive() {
      slot = (slot + 1) % slots.length;
      for (const connection of slots[slot] ?? []) {
        if (connection.hasMissedPing(pongMs)) connection.terminate();
        else connection.ping();
      }
    },
    async drain() {
      draining = true;
      for (const connection of [...connections]) connection.close(1012);
      const until = performance.now() + DRAIN_MS;
      while (connections.size > 0 && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      for (const connection of [...connections]) connection.terminate();
      server.close();
    },
    size: () => connections.size,
  };
}

/** The browser only sees a failure and retries later: a server fault must not look like a sign-out. */
function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}
