import { WebSocket } from 'ws';
import { type Handlers, serve, sharedClock } from '#tests/support/server/child.ts';

// A process of subscribers that only count. They speak the wire format directly, to use as little CPU as possible.

type Group = {
  sockets: WebSocket[];
  frames: number;
  events: number;
  bytes: number;
  ended: number;
  /** The number of access changes, and the arrival time of the last one, by the shared clock. */
  changes: number;
  changedAt: number;
};
type Seen = Omit<Group, 'sockets'> & { sockets: number };

const groups = new Map<string, Group>();
/** The arrival time of each operation's event, by the shared clock; only for groups that watch. */
const arrivals = new Map<string, number>();
let lastFrame = '';

const MARK = Buffer.from('"outboxId"');
const ACCESS = Buffer.from('"access":{');
const SUBSCRIBE = JSON.stringify({
  id: 1,
  method: 'subscription',
  params: { path: 'live.stream', input: {} },
});

const handlers = {
  /** Opens a socket per cookie, and waits until all of them are subscribed. */
  async connect(input: {
    group: string;
    url: string;
    cookies: string[];
    origin: string;
    watch: boolean;
    /** Whether the server sends a frame at once; if not, a socket counts as subscribed from the answer on. */
    sendsAtOnce: boolean;
    atOnce: number;
  }) {
    const group: Group = {
      sockets: [],
      frames: 0,
      events: 0,
      bytes: 0,
      ended: 0,
      changes: 0,
      changedAt: 0,
    };
    groups.set(input.group, group);
    const waiting = [...input.cookies];
    const worker = async () => {
      for (let cookie = waiting.pop(); cookie !== undefined; cookie = waiting.pop()) {
        group.sockets.push(await open(cookie, group, input));
      }
    };
    await Promise.all(Array.from({ length: input.atOnce }, worker));
    return group.sockets.length;
  },
  counts(input: { group: string }): Seen {
    const group = groups.get(input.group);
    if (group === undefined) throw new Error(`no group ${input.group}`);
    return { ...group, sockets: group.sockets.length };
  },
  /** The text of the last frame with exactly one event. */
  lastFrame: () => lastFrame,
  /** Returns and clears the watched arrivals: operation or event id and time. */
  arrivals(): [string, number][] {
    const seen = [...arrivals];
    arrivals.clear();
    return seen;
  },
  close(input: { group: string }) {
    for (const socket of groups.get(input.group)?.sockets ?? []) socket.terminate();
    groups.delete(input.group);
  },
} satisfies Handlers;
export type SubscriberHandlers = typeof handlers;

function open(
  cookie: string,
  group: Group,
  { url, origin, watch, sendsAtOnce }: { url: string; origin: string; watch: boolean; sendsAtOnce: boolean },
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      skipUTF8Validation: true,
      headers: { cookie, origin },
    });
    let listening = false;
    socket.once('open', () => socket.send(SUBSCRIBE));
    socket.on('error', (error) => {
      if (!listening) reject(error);
    });
    socket.on('close', (code) => {
      group.ended += 1;
      if (!listening) reject(new Error(`closed with ${code} before it listened`));
    });
    socket.on('message', (data: Buffer) => {
      if (!listening && (!sendsAtOnce || data.indexOf('"type":"data"') !== -1)) {
        listening = true;
        resolve(socket);
      }
      count(group, data, watch);
    });
  });
}

function count(group: Group, data: Buffer, watch: boolean): void {
  let events = 0;
  for (let at = data.indexOf(MARK); at !== -1; at = data.indexOf(MARK, at + MARK.length)) events += 1;
  group.frames += 1;
  group.events += events;
  group.bytes += data.length;
  if (data.indexOf(ACCESS) !== -1) {
    group.changes += 1;
    group.changedAt = sharedClock();
  }
  if (events === 0 || !watch) return;
  const now = sharedClock();
  const text = data.toString('utf8');
  if (events === 1) lastFrame = text;
  for (const [, id] of text.matchAll(/"operationId":"([^"]+)"/g)) if (id !== undefined) arrivals.set(id, now);
}

serve(handlers);
