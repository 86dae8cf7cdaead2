import { createTRPCClient, createWSClient, wsLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import { formatPosition, type LiveFrame, type LivePosition, parsePosition } from '#shared/live.ts';
import { createFastCloseSocket } from './fast-close-socket.ts';

/** The close codes after which coming back is pointless: the session ended, or may not listen (rule T6). */
const ENDED = [4401, 4403];
/** Frames come every 5 s; after this long without one the subscription is started anew. */
const WATCHDOG_MS = 30_000;
/** A connection that lived this long makes earlier failures forgotten. */
const HEALTHY_MS = 10_000;

export type StreamParts = {
  url: string;
  /** Where to go on from. */
  cursor: () => LivePosition;
  onFrame: (position: LivePosition, frame: LiveFrame) => void;
  /** True while the subscription runs. */
  onConnection: (connected: boolean) => void;
  /** The server has ended the session; the stream has stopped by itself. */
  onEnded: (code: number) => void;
  WebSocket?: typeof WebSocket;
  keepAlive?: { intervalMs: number; pongTimeoutMs: number };
  watchdogMs?: number;
  /** How long to wait after so many failures in a row, ms. */
  retryDelayMs?: (failures: number) => number;
};

const jittered = (failures: number) => Math.min(30_000, 500 * 2 ** failures) * (0.5 + Math.random());

type Subscription = { unsubscribe(): void };

/** The one subscription to `live.stream`, kept running with the stock client. */
export class Stream {
  readonly #parts: StreamParts;
  #socket: ReturnType<typeof createWSClient> | undefined;
  #client: ReturnType<typeof createTRPCClient<AppRouter>> | undefined;
  #subscription: Subscription | undefined;
  /** Callbacks of an earlier subscription are not listened to. */
  #attempt = 0;
  #failures = 0;
  #open = false;
  #healthy: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get running(): boolean {
    return this.#socket !== undefined;
  }

  start(): void {
    if (this.#socket) return;
    // After sign-in a new one: the client that was closed would be opened again by any later call.
    const socket = createWSClient({
      url: this.#parts.url,
      WebSocket: this.#parts.WebSocket ?? createFastCloseSocket(),
      keepAlive: { enabled: true, ...(this.#parts.keepAlive ?? { intervalMs: 20_000, pongTimeoutMs: 5000 }) },
      retryDelayMs: () => this.#delay(),
      onOpen: () => {
        if (socket !== this.#socket) return;
        this.#open = true;
        this.#healthy = setTimeout(() => {
          this.#failures = 0;
        }, HEALTHY_MS);
      },
      onClose: (cause) => {
        if (socket !== this.#socket) return;
        this.#open = false;
        clearTimeout(this.#healthy);
        clearTimeout(this.#watchdog);
        const code = cause?.code;
        if (code !== undefined && ENDED.includes(code)) this.#end(code);
        else this.#parts.onConnection(false);
      },
    });
    this.#socket = socket;
    this.#client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] });
    this.#subscribe();
  }

  stop(): void {
    this.#attempt += 1;
    clearTimeout(this.#healthy);
    clearTimeout(this.#watchdog);
    clearTimeout(this.#again);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#client = undefined;
    this.#subscription = undefined;
    this.#open = false;
    void socket?.close();
    this.#parts.onConnection(false);
  }

  /** Asks again from the cursor, on the same socket. */
  resubscribe(): void {
    if (!this.#client) return;
    // Frames of the running subscription are no longer wanted, and it may be the one that is calling.
    this.#attempt += 1;
    const attempt = this.#attempt;
    queueMicrotask(() => {
      if (attempt === this.#attempt) this.#subscribe();
    });
  }

  /**
   * The network may be back: connects at once where it would otherwise wait.
   * @param silent nothing has come for longer than a heartbeat: the socket may look open and be dead
   */
  kick(silent: boolean): void {
    if (!this.#socket || (this.#open && !silent)) return;
    this.stop();
    this.start();
  }

  #subscribe(): void {
    const client = this.#client;
    if (!client) return;
    clearTimeout(this.#again);
    this.#subscription?.unsubscribe();
    this.#attempt += 1;
    const attempt = this.#attempt;
    const current = () => attempt === this.#attempt;
    this.#subscription = client.live.stream.subscribe(
      { lastEventId: formatPosition(this.#parts.cursor()) },
      {
        onStarted: () => {
          if (!current()) return;
          this.#parts.onConnection(true);
          this.#watch();
        },
        onData: ({ id, data: frame }) => {
          if (!current()) return;
          this.#watch();
          const position = parsePosition(id);
          if (position) this.#parts.onFrame(position, frame);
        },
        onError: (error) => {
          if (!current()) return;
          const code = error.data?.code;
          if (code === 'UNAUTHORIZED') this.#end(4401);
          else if (code === 'FORBIDDEN') this.#end(4403);
          else this.#takeUpAgain();
        },
        onComplete: () => {
          if (current()) this.#takeUpAgain();
        },
      },
    );
  }

  /** The stock client does not retry a subscription that failed, nor one that met a socket just closed. */
  #takeUpAgain(): void {
    this.#parts.onConnection(false);
    clearTimeout(this.#watchdog);
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#subscribe(), this.#delay());
  }

  #delay(): number {
    const delay = (this.#parts.retryDelayMs ?? jittered)(this.#failures);
    this.#failures += 1;
    return Math.max(1, delay);
  }

  /** A server that answers keep-alives but sends nothing. Never touches the socket. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#subscribe(), this.#parts.watchdogMs ?? WATCHDOG_MS);
  }

  #end(code: number): void {
    this.stop();
    this.#parts.onEnded(code);
  }
}
