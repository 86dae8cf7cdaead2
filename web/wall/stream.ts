import type { WallFrame } from './model.ts';

/** Frames arrive every five seconds, so after this time without a frame the connection is dead, in ms. */
const SILENCE_MS = 12_000;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 3_000;
/** The close code for a credential that is not valid. */
const ENDED = 4401;

export type WallStream = { stop(): void };

/**
 * Follows the live stream as a display. Reconnects without a limit, and continues from the last position.
 * @param options.position returns the position to continue from; called at each attempt
 * @param options.onEnded called when the display was unpaired, or its screen replaced, and the stream has stopped
 */
export function followStream(options: {
  position: () => string;
  onFrame: (id: string, frame: WallFrame) => void;
  onEnded: () => void;
}): WallStream {
  let socket: WebSocket | undefined;
  let stopped = false;
  let retryMs = FIRST_RETRY_MS;
  let silence: number | undefined;
  let retry: number | undefined;

  function watch(): void {
    clearTimeout(silence);
    silence = window.setTimeout(() => reconnect(), SILENCE_MS);
  }

  function close(): void {
    clearTimeout(silence);
    clearTimeout(retry);
    const old = socket;
    socket = undefined;
    if (old === undefined) return;
    old.onopen = old.onmessage = old.onclose = old.onerror = null;
    old.close();
  }

  function reconnect(): void {
    close();
    if (stopped) return;
    // Random, so that fifty displays do not reconnect at the same moment.
    retry = window.setTimeout(open, retryMs * (0.5 + Math.random() / 2));
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  }

  function end(): void {
    stopped = true;
    close();
    options.onEnded();
  }

  function open(): void {
    const { protocol, host } = window.location;
    const own = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/trpc?display=1`);
    socket = own;
    watch();
    own.onopen = () => {
      const lastEventId = options.position();
      const params = { path: 'live.stream', input: lastEventId === '' ? {} : { lastEventId } };
      own.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'subscription', params }));
    };
    own.onmessage = ({ data }) => take(String(data));
    own.onclose = ({ code }) => (code === ENDED ? end() : reconnect());
  }

  function take(text: string): void {
    if (text === 'PONG' || text === 'PING') return;
    // The cast: our own server sends the message, as a frame of the stream.
    const message = JSON.parse(text) as {
      result?: { type: string; data?: { id: string; data: WallFrame } };
      error?: { data?: { app?: { code?: string } } };
    };
    if (message.error?.data?.app?.code === 'unauthenticated') end();
    else if (message.error !== undefined) reconnect();
    else if (message.result?.data !== undefined) {
      retryMs = FIRST_RETRY_MS;
      watch();
      options.onFrame(message.result.data.id, message.result.data.data);
    }
  }

  open();
  return {
    stop() {
      stopped = true;
      close();
    },
  };
}
