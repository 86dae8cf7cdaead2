import { createTRPCClient, createWSClient, wsLink } from '@trpc/client';
import WebSocket from 'ws';
import type { AppRouter } from '#server/boot/router.ts';
import { type LiveEvent, type LiveFrame, parsePosition } from '#shared/live/live.ts';

/** A browser's socket for the stock client, with the headers that a browser sends. */
function socketClass(url: string, cookie: string | undefined): typeof globalThis.WebSocket {
  class BrowserSocket extends WebSocket {
    constructor(address: string | URL) {
      super(address, { headers: { origin: url, ...(cookie === undefined ? {} : { cookie }) } });
    }
  }
  // The cast: the types differ only in parts that the client does not use.
  return BrowserSocket as unknown as typeof globalThis.WebSocket;
}

export type StreamClient = {
  frames: (LiveFrame & { id: string })[];
  /** Every event received, in order. */
  events: LiveEvent[];
  /** The errors with which the subscription was refused. */
  errors: { code: string; app: string }[];
  /** The code of each close. */
  closes: number[];
  opens: number;
  started: number;
  stopped: number;
  /** The id of the last frame. */
  position(): string | undefined;
  g(): number;
  unsubscribe(): void;
  close(): Promise<void>;
};

/** The stock client on the live stream; its behaviour is part of the contract (rule F1). */
export function openStream(
  url: string,
  cookie: string | undefined,
  options: {
    lastEventId?: string;
    window?: string;
    keepAliveMs?: number;
    pongMs?: number;
    via?: string;
    path?: string;
  } = {},
): StreamClient {
  const frames: StreamClient['frames'] = [];
  const events: LiveEvent[] = [];
  const errors: StreamClient['errors'] = [];
  const closes: number[] = [];
  const state = { opens: 0, started: 0, stopped: 0 };
  const ws = createWSClient({
    url: `${(options.via ?? url).replace('http', 'ws')}${options.path ?? '/trpc'}`,
    WebSocket: socketClass(options.via ?? url, cookie),
    retryDelayMs: () => 75,
    ...(options.keepAliveMs === undefined
      ? {}
      : {
          keepAlive: {
            enabled: true,
            intervalMs: options.keepAliveMs,
            pongTimeoutMs: options.pongMs ?? options.keepAliveMs,
          },
        }),
    onOpen: () => {
      state.opens += 1;
    },
    onClose: (cause) => {
      closes.push(cause?.code ?? 0);
      // Closes the connection as our own client does; the stock client would reconnect for ever.
      if (cause?.code === 4401) void ws.close();
    },
  });
  const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: ws })] });
  const { lastEventId, window } = options;
  const input = {
    ...(lastEventId !== undefined && { lastEventId }),
    ...(window !== undefined && { window }),
  };
  const subscription = client.live.stream.subscribe(input, {
    onStarted: () => {
      state.started += 1;
    },
    onStopped: () => {
      state.stopped += 1;
    },
    onData: ({ id, data }) => {
      frames.push({ ...data, id });
      events.push(...data.events);
    },
    onError: (error) => {
      const data = error.data as { code: string; app: { code: string } } | undefined;
      errors.push({ code: data?.code ?? '', app: data?.app.code ?? '' });
    },
  });
  return {
    frames,
    events,
    errors,
    closes,
    get opens() {
      return state.opens;
    },
    get started() {
      return state.started;
    },
    get stopped() {
      return state.stopped;
    },
    position: () => frames.at(-1)?.id,
    g: () => parsePosition(frames.at(-1)?.id)?.g ?? -1,
    unsubscribe: () => subscription.unsubscribe(),
    async close() {
      subscription.unsubscribe();
      await ws.close();
    },
  };
}

/** A socket without the stock client, for messages that the stock client never sends. */
export async function openRaw(
  url: string,
  cookie: string | undefined,
  path = '/trpc',
): Promise<{ ws: WebSocket; messages: unknown[]; closed: Promise<number> }> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
    headers: { origin: url, ...(cookie === undefined ? {} : { cookie }) },
  });
  const messages: unknown[] = [];
  ws.on('message', (data) => {
    const text = String(data);
    messages.push(text === 'PONG' ? text : JSON.parse(text));
  });
  ws.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => ws.once('close', resolve));
  await new Promise((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  return { ws, messages, closed };
}
