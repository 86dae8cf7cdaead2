import type { LiveFrame, LivePosition } from '#shared/live/live.ts';
import { socketFor } from '#tests/support/live/node-socket.ts';
import { type Handlers, serve, sharedClock } from '#tests/support/server/child.ts';
import { classifyFrame } from '#web/live/stream/cursor.ts';
import { Stream } from '#web/live/stream/stream.ts';

// Many clients of the stream in one process: the page's own stream module on top of the stock client.

type Client = {
  cursor: LivePosition;
  /** How often each event was delivered, by position. */
  seen: Map<number, number>;
  /** The time at which the last frame arrived, by the shared clock. */
  frameAt: number;
  gaps: number;
  resets: number;
  stream: Stream;
};
const clients: Client[] = [];

const handlers = {
  /** Starts to follow the stream from a position, once per cookie. */
  follow(input: { url: string; cookies: string[]; from: LivePosition; quick: boolean }) {
    for (const cookie of input.cookies) {
      const origin = input.url.replace('ws', 'http').replace('/trpc', '');
      const stream = new Stream({
        url: input.url,
        WebSocket: socketFor({ cookie: () => cookie, origin, online: () => true }, new Set()),
        cursor: () => client.cursor,
        onFrame: (position, frame) => take(client, position, frame),
        onConnection: () => undefined,
        onEnded: () => undefined,
        ...(input.quick
          ? {
              keepAlive: { intervalMs: 2_000, pongTimeoutMs: 1_500 },
              watchdogMs: 9_000,
              retryDelayMs: (failures: number) =>
                Math.min(1_000, 100 * 2 ** failures) * (0.5 + Math.random()),
            }
          : {}),
      });
      const client: Client = { cursor: input.from, seen: new Map(), frameAt: 0, gaps: 0, resets: 0, stream };
      clients.push(client);
      stream.start();
    }
  },
  /** The number of clients that have received a frame since a moment. */
  liveSince(input: { from: number }) {
    return clients.filter(({ frameAt }) => frameAt > input.from).length;
  },
  /** The number of clients that have reached a position. */
  arrived: (input: { g: number }) => clients.filter(({ cursor }) => cursor.g >= input.g).length,
  /** Counts how many of these events were never delivered to a client, and how many more than once. */
  account(input: { events: number[] }) {
    let lost = 0;
    let doubled = 0;
    for (const { seen } of clients) {
      for (const g of input.events) {
        const times = seen.get(g) ?? 0;
        if (times === 0) lost += 1;
        if (times > 1) doubled += 1;
      }
    }
    const sum = (of: 'gaps' | 'resets') => clients.reduce((total, client) => total + client[of], 0);
    return { clients: clients.length, lost, doubled, gaps: sum('gaps'), resets: sum('resets') };
  },
} satisfies Handlers;
export type RestartHandlers = typeof handlers;

function take(client: Client, position: LivePosition, frame: LiveFrame): void {
  client.frameAt = sharedClock();
  const verdict = classifyFrame(client.cursor, position, frame);
  if (verdict === 'gap') {
    client.gaps += 1;
    client.stream.resubscribe();
    return;
  }
  if (verdict === 'drop') return;
  if (verdict === 'reset') client.resets += 1;
  for (const { g } of frame.events) client.seen.set(g, (client.seen.get(g) ?? 0) + 1);
  client.cursor = position;
}

serve(handlers);
