import type { Duplex } from 'node:stream';
import { type AnyRouter, getErrorShape, TRPCError } from '@trpc/server';
import type { FastifyBaseLogger } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { LIVE_PATH } from '../live-path.ts';
import type { Stream } from '../stream.ts';
import { HIGH_WATER_BYTES } from './sender.ts';
import {
  type Call,
  checkCall,
  cursorOf,
  type Message,
  parseError,
  parseMessages,
  type Refusal,
  type RequestId,
  unauthenticated,
  windowOf,
} from './socket-message.ts';
import { type createSocketWriter, waitForDrain } from './socket-writer.ts';
import type { Subscriber, SubscriberSocket } from './subscriber.ts';

/** The parts of an upgrade request that are stored: the whole request is too large for each idle socket. */
export type Handshake = {
  cookie: string | undefined;
  userAgent: string;
  address: string;
  /** Opened by a display: only the display's credential is checked, never a session. */
  isDisplay: boolean;
};
/** The session of a socket, or a display's substitute for one, and the hash of the token that opened the socket. */
export type LiveSession = { userId: string; sessionId: string; tokenHash: string };

/** Dependencies that all connections of a process share. */
export type ConnectionHost = {
  stream: Pick<Stream, 'subscribe' | 'unsubscribe' | 'presence'>;
  /** Its `live.stream` decides who may subscribe. */
  router: AnyRouter;
  /**
   * Identifies the caller by the session and not by the cookie of the handshake, because the token may have changed since.
   */
  createContext: (handshake: Handshake, session: LiveSession) => Promise<object>;
  write: ReturnType<typeof createSocketWriter>;
  log: Pick<FastifyBaseLogger, 'warn'>;
};

const MAX_ID_LENGTH = 64;
/** Messages per minute; a client sends a few. */
const MAX_MESSAGES = 300;
const MESSAGE_WINDOW_MS = 60_000;

/** One socket: parses the messages of the stock tRPC client and answers in its protocol. */
export class Connection implements SubscriberSocket {
  readonly session: LiveSession | undefined;
  /** ISO. */
  readonly openedAt: string;
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #host: ConnectionHost;
  readonly #handshake: Handshake;
  /** The id of a subscription whose permission is being checked. */
  #starting: RequestId | undefined;
  #subscription: { id: RequestId; subscriber: Subscriber } | undefined;
  /**
   * The browser window that the client names. When the client closes the socket, or the session ends, all processes are notified
   * that the window has gone (rule T8). When the server closes the socket, they are not, because the window reconnects within
   * seconds.
   */
  #window: string | undefined;
  #messages = 0;
  #windowFrom = 0;
  /** When the first unanswered ping was sent, monotonic ms (rule T6, keep-alive). */
  #askedAt: number | undefined;

  constructor(
    host: ConnectionHost,
    ws: WebSocket,
    socket: Duplex,
    who: { session: LiveSession | undefined; handshake: Handshake; openedAt: string },
  ) {
    this.#host = host;
    this.#ws = ws;
    this.#socket = socket;
    this.#handshake = who.handshake;
    this.session = who.session;
    this.openedAt = who.openedAt;
    ws.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    ws.on('pong', () => {
      this.#askedAt = undefined;
    });
    // An invalid frame is reported as an error; the library closes the socket itself.
    withErrorListener(ws);
    ws.once('close', () => {
      this.#leave();
      this.#depart();
    });
  }

  isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  write(frame: Buffer): void {
    this.#host.write(this.#ws, this.#socket, frame);
  }

  waitForDrain(bytes: number, withinMs: number): Promise<boolean> {
    return waitForDrain(this.#ws, bytes, withinMs);
  }

  close(code: 1008 | 1012 | 1013): void {
    this.#leave();
    this.#window = undefined;
    this.#ws.close(code);
  }

  /**
   * Sends an error frame with a reason, then closes with a code, because a browser may receive only one of them in
   * time.
   */
  endSession(): void {
    const id = this.#subscription?.id ?? this.#starting;
    if (id !== undefined) this.#refuse(id, unauthenticated());
    this.#leave();
    this.#depart();
    this.#ws.close(4401);
  }

  ping(): void {
    if (!this.isOpen()) return;
    this.#askedAt ??= performance.now();
    this.#ws.ping();
  }

  /** Returns whether a ping has been unanswered for this long. */
  hasMissedPing(ms: number): boolean {
    return this.#askedAt !== undefined && performance.now() - this.#askedAt >= ms;
  }

  /** For a socket that does not answer. Its window may already have another socket; if not, the window expires. */
  terminate(): void {
    this.#leave();
    this.#window = undefined;
    this.#ws.terminate();
  }

  #leave(): void {
    this.#starting = undefined;
    const { subscriber } = this.#subscription ?? {};
    this.#subscription = undefined;
    if (subscriber !== undefined) this.#host.stream.unsubscribe(subscriber);
  }

  #depart(): void {
    const window = this.#window;
    this.#window = undefined;
    if (window !== undefined && this.session !== undefined)
      this.#host.stream.presence.depart(this.session.userId, window);
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    this.#askedAt = undefined;
    if (!this.isOpen()) return;
    if (!this.#mayTalk()) this.close(1008);
    // A client that sends without reading must not fill the buffer with answers.
    else if (this.bufferedBytes() > HIGH_WATER_BYTES && this.#subscription === undefined) this.terminate();
    else if (isBinary || !Buffer.isBuffer(data)) this.#refuse(null, parseError());
    else this.#onText(data.toString('utf8'));
  }

  #onText(text: string): void {
    if (text === 'PING') this.#say('PONG');
    else if (text !== 'PONG') for (const message of this.#parse(text)) this.#onCall(message);
  }

  #parse(text: string): Message[] {
    try {
      return parseMessages(this.#host.router, text);
    } catch {
      this.#refuse(null, parseError());
      return [];
    }
  }

  #onCall(message: Message): void {
    const { id } = message;
    if (id === null || id === undefined || String(id).length > MAX_ID_LENGTH)
      this.#refuse(null, parseError());
    else if (message.method === 'subscription.stop') this.#stop(id);
    else if (message.method !== 'subscription' || message.params.path !== LIVE_PATH) {
      this.#refuse(id, new TRPCError({ code: 'METHOD_NOT_SUPPORTED' }), message);
    } else if (this.session === undefined) {
      this.#starting = id;
      this.endSession();
    } else if (this.#starting !== undefined || this.#subscription !== undefined) {
      this.#refuse(id, new TRPCError({ code: 'BAD_REQUEST' }), message);
    } else {
      this.#starting = id;
      void this.#start(id, message, this.session);
    }
  }

  #stop(id: RequestId): void {
    if (id !== this.#starting && id !== this.#subscription?.id) return;
    this.#leave();
    this.#say(JSON.stringify({ id, jsonrpc: '2.0', result: { type: 'stopped' } }));
  }

  async #start(id: RequestId, message: Call, session: LiveSession): Promise<void> {
    const { router, createContext } = this.#host;
    const refusal = await checkCall(router, () => createContext(this.#handshake, session), message);
    // The client has stopped the subscription or closed the socket in the meantime.
    if (this.#starting !== id || !this.isOpen()) return;
    if (refusal !== undefined) {
      this.#turnAway(id, message, refusal);
      return;
    }
    this.#starting = undefined;
    this.#window = windowOf(message);
    this.#say(JSON.stringify({ id, jsonrpc: '2.0', result: { type: 'started' } }));
    const subscriber = this.#host.stream.subscribe({
      userId: session.userId,
      requestId: JSON.stringify(id),
      outlet: this,
      cursor: cursorOf(message),
    });
    this.#subscription = { id, subscriber };
  }

  #turnAway(id: RequestId, message: Call, { error, ctx }: Refusal): void {
    if (error.code === 'UNAUTHORIZED') {
      this.endSession();
    } else if (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'INTERNAL_SERVER_ERROR') {
      // An error frame would end the client's subscription for good, but this is a fault of the server. After closing, the client
      // reconnects.
      this.#host.log.warn({ err: error }, 'a subscription could not be checked');
      this.close(1013);
    } else {
      this.#starting = undefined;
      this.#refuse(id, error, message, ctx);
    }
  }

  #refuse(id: RequestId | null, error: TRPCError, message?: Call, ctx?: object): void {
    const { _config: config } = this.#host.router._def;
    const { path, input } = message?.params ?? { path: undefined, input: undefined };
    const shape = getErrorShape({ config, error, type: message?.method ?? 'unknown', path, input, ctx });
    this.#say(JSON.stringify({ id, jsonrpc: '2.0', error: shape }));
  }

  #say(text: string): void {
    if (this.isOpen()) this.#ws.send(text);
  }

  #mayTalk(): boolean {
    const now = performance.now();
    if (now - this.#windowFrom > MESSAGE_WINDOW_MS) {
      this.#windowFrom = now;
      this.#messages = 0;
    }
    this.#messages += 1;
    return this.#messages <= MAX_MESSAGES;
  }
}
