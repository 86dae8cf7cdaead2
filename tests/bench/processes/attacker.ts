import { WebSocket } from 'ws';
import { type Handlers, serve } from '#tests/support/server/child.ts';

// A person with the maximum number of sockets, who requests replays as often as the limits allow.

/** Each time a stop and a subscription are sent, which stays within 300 messages per minute. */
const AGAIN_EVERY_MS = 410;
const sockets = new Set<WebSocket>();
let asked = 0;
let closed = 0;
let running = false;

const handlers = {
  begin(input: { url: string; origin: string; cookie: string; lastEventId: string; sockets: number }) {
    running = true;
    for (let n = 0; n < input.sockets; n += 1) open(input);
  },
  /** @returns how often a replay was requested, and how many sockets the server closed */
  end() {
    running = false;
    for (const socket of sockets) socket.terminate();
    const counts = { asked, closed };
    asked = 0;
    closed = 0;
    return counts;
  },
} satisfies Handlers;
export type AttackerHandlers = typeof handlers;

function open(input: Parameters<typeof handlers.begin>[0]): void {
  const { url, origin, cookie, lastEventId } = input;
  const socket = new WebSocket(url, { perMessageDeflate: false, headers: { cookie, origin } });
  sockets.add(socket);
  let id = 0;
  const ask = () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (id > 0) socket.send(JSON.stringify({ id, method: 'subscription.stop' }));
    id += 1;
    asked += 1;
    const params = { path: 'live.stream', input: {}, lastEventId };
    socket.send(JSON.stringify({ id, method: 'subscription', params }));
  };
  let timer: NodeJS.Timeout | undefined;
  socket.once('open', () => {
    ask();
    timer = setInterval(ask, AGAIN_EVERY_MS);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearInterval(timer);
    sockets.delete(socket);
    if (!running) return;
    closed += 1;
    setTimeout(() => running && open(input), 100);
  });
}

serve(handlers);
