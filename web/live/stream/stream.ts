import { createTRPCClient, createWSClient, wsLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import { formatPosition, type LiveFrame, type LivePosition, parsePosition } from '#shared/live/live.ts';
import { createFastCloseSocket } from './fast-close-socket.ts';

/** Close codes after which a reconnect is pointless: the session has ended, or has no permission to listen (rule T6). */
const ENDED = [4401, 4403];
/** The time without a frame after which the subscription is renewed; frames arrive every 5 s. */
const WATCHDOG_MS = 30_000;
/** The age of a connection after which earlier failures no longer count. */
const HEALTHY_MS = 10_000;

export type StreamParts = {
  url: string;
  /** The id of this window. When the window's socket closes, the server uses the id to find who has gone. */
  window?: string;
  /** The position from which the stream continues. */
  cursor: () => LivePosition;
  onFrame: (position: LivePosition, frame: LiveFrame) => void;
  /** Called with true when the subscription runs, false when it ends. */
  onConnection: (connected: boolean) => void;
  /** The server has ended the session; the stream has stopped by itself. */
  onEnded: (code: number) => void;
  WebSocket?: typeof WebSocket;
  keepAlive?: { intervalMs: number; pongTimeoutMs: number };
  watchdogMs?: number;
  /** The wait after a number of failures in a row, ms. */
  retryDelayMs?: (failures: number) => number;
};

const jittered = (failures: number) => Math.min(30_000, 500 * 2 ** failures) * (0.5 + Math.random());

type Subscription = { unsubscribe(): void };

/** The one subscription to `live.stream`, kept running with tRPC's own client. */
export class Stream {
  readonly #parts: StreamParts;
  #socket: ReturnType<typeof createWSClient> | undefined;
  #client: ReturnType<typeof createTRPCClient<AppRouter>> | undefined;
  #subscription: Subscription | undefined;
  /** The number of the present subscription; callbacks of earlier ones are ignored. */
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
    // A new client for each sign-in, because any later call would reopen a closed client.
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

  /** Subscribes again from the cursor, on the same socket. */
  resubscribe(): void {
    if (!this.#client) return;
    // Frames of the running subscription are no longer wanted. The new subscription is delayed by a microtask, because
    // this method may be called from a callback of the running one.
    this.#attempt += 1;
    const attempt = this.#attempt;
    queueMicrotask(() => {
      if (attempt === this.#attempt) this.#subscribe();
    });
  }

  /**
   * Connects at once instead of waiting, because the network may be back.
   * @param silent whether no frame has arrived for longer than a heartbeat: the socket may look open although it is dead
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
      { lastEventId: formatPosition(this.#parts.cursor()), window: this.#parts.window },
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

  /**
   * Subscribes again after a delay: tRPC's client retries neither a failed subscription nor a subscription on a closed
   * socket.
   */
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

  /** Renews the subscription after a silence: a server may answer keep-alives but send no frames. The socket stays. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#subscribe(), this.#parts.watchdogMs ?? WATCHDOG_MS);
  }

  #end(code: number): void {
    this.stop();
    this.#parts.onEnded(code);
  }
}
