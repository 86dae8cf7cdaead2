import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import NodeWebSocket, { WebSocketServer } from 'ws';
import type { LiveFrame, LivePosition } from '#shared/live/live.ts';
import { Stream, type StreamParts } from '#web/live/stream/stream.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Peer = { ws: NodeWebSocket; say: (id: unknown, result: unknown) => void };
type Request = {
  id: number;
  method: string;
  params?: { lastEventId?: string; input?: { lastEventId?: string } };
};

/** Starts a server that runs the test's callbacks for each connection and each request. */
async function serve(on: { open?: (peer: Peer) => void; request?: (request: Request, peer: Peer) => void }) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  let connections = 0;
  server.on('connection', (ws) => {
    connections += 1;
    const peer: Peer = { ws, say: (id, result) => ws.send(JSON.stringify({ id, ...Object(result) })) };
    on.open?.(peer);
    ws.on('message', (data) => {
      const text = String(data);
      if (text === 'PING') return ws.send('PONG');
      const messages: unknown = JSON.parse(text);
      // The cast: messages of the stock client; anything else fails the test.
      for (const each of Array.isArray(messages) ? messages : [messages]) on.request?.(each as Request, peer);
    });
  });
  closing.push(() => {
    for (const ws of server.clients) ws.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // The cast: a server on a port has no pipe name.
  return { url: `ws://127.0.0.1:${port}`, connections: () => connections };
}

function follow(url: string, parts: Partial<StreamParts> = {}) {
  let cursor: LivePosition = { epoch: 'e1', g: 5 };
  const frames: LiveFrame[] = [];
  const states: boolean[] = [];
  const ended: number[] = [];
  const stream = new Stream({
    url,
    // The cast: the two socket types differ only in members that the stock client does not use.
    WebSocket: NodeWebSocket as unknown as typeof WebSocket,
    cursor: () => cursor,
    onFrame: (position, frame) => {
      cursor = position;
      frames.push(frame);
    },
    onConnection: (connected) => states.push(connected),
    onEnded: (code) => ended.push(code),
    retryDelayMs: () => 20,
    ...parts,
  });
  closing.push(() => stream.stop());
  stream.start();
  return { stream, frames, states, ended };
}

const started = { result: { type: 'started' } };
function frameAt(g: number) {
  const id = `e1.${g}`;
  const data = { prev: g - 1, head: g, at: new Date().toISOString(), events: [] };
  return { result: { type: 'data', id, data: { id, data } } };
}

test.each([4401, 4403])(
  'live/T6 close %i ends the stream, and the client does not reconnect',
  async (code) => {
    const server = await serve({ open: ({ ws }) => ws.close(code) });
    const { stream, ended } = follow(server.url);
    await expect.poll(() => ended).toEqual([code]);
    expect(stream.running).toBe(false);
    // Another client, which may reconnect after the same pauses, reconnects ten times in the meantime.
    const elsewhere = await serve({ open: ({ ws }) => ws.close(1013) });
    follow(elsewhere.url);
    await expect.poll(elsewhere.connections).toBeGreaterThan(10);
    expect(server.connections()).toBe(1);
  },
);

test('live/T6 an UNAUTHORIZED error frame ends the stream, too', async () => {
  const error = { error: { code: -32001, message: 'unauthenticated', data: { code: 'UNAUTHORIZED' } } };
  const server = await serve({ request: ({ id }, { say }) => say(id, error) });
  const { ended, stream } = follow(server.url);
  await expect.poll(() => ended).toEqual([4401]);
  expect(stream.running).toBe(false);
});

test.each([1012, 1013])(
  'live/T6 after close %i the client reconnects at the position reached',
  async (code) => {
    const asked: (string | undefined)[] = [];
    const server = await serve({
      request: ({ id, method, params }, { ws, say }) => {
        if (method !== 'subscription') return;
        asked.push(params?.lastEventId ?? params?.input?.lastEventId);
        say(id, started);
        say(id, frameAt(5 + asked.length));
        if (asked.length < 3) ws.close(code);
      },
    });
    const { frames, ended } = follow(server.url);
    await expect.poll(() => frames.length).toBe(3);
    expect(asked).toEqual(['e1.5', 'e1.6', 'e1.7']);
    expect(ended).toEqual([]);
  },
);

test('live/T6 a connection closed straight after it opened is taken up again', async () => {
  let opened = 0;
  const server = await serve({
    open: ({ ws }) => {
      opened += 1;
      if (opened < 4) ws.terminate();
    },
    request: ({ id, method }, { say }) => {
      if (method === 'subscription') say(id, started);
    },
  });
  const { states } = follow(server.url);
  await expect.poll(() => states.at(-1)).toBe(true);
});

test('live/T6 the waits after failures grow, though the stock client counts from the start each time', async () => {
  const failures: number[] = [];
  const server = await serve({ open: ({ ws }) => ws.close(1013) });
  follow(server.url, {
    retryDelayMs: (count) => {
      failures.push(count);
      return 5;
    },
  });
  await expect.poll(() => failures.length).toBeGreaterThan(4);
  expect(failures).toEqual([...failures.keys()]);
});

test('live/T6 a server that does not listen yet is found when it does', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo; // The cast: a server on a port has no pipe name.
  probe.close();
  await once(probe, 'close');
  const { states } = follow(`ws://127.0.0.1:${port}`);
  await expect.poll(() => states.length).toBeGreaterThan(0);
  const server = new WebSocketServer({ port, host: '127.0.0.1' });
  closing.push(() => {
    for (const ws of server.clients) ws.terminate();
    server.close();
  });
  server.on('connection', (ws) =>
    ws.on('message', (data) => {
      const message: unknown = JSON.parse(String(data));
      ws.send(JSON.stringify({ id: Reflect.get(Object(message), 'id'), ...started }));
    }),
  );
  await expect.poll(() => states.at(-1)).toBe(true);
});

test('live/T1 silence ends the subscription and not the socket', async () => {
  const methods: string[] = [];
  const server = await serve({
    request: ({ id, method }, { say }) => {
      methods.push(method);
      if (method === 'subscription') say(id, started);
    },
  });
  follow(server.url, { watchdogMs: 50 });
  await expect.poll(() => methods.length).toBeGreaterThan(4);
  expect(methods.slice(0, 5)).toEqual([
    'subscription',
    'subscription.stop',
    'subscription',
    'subscription.stop',
    'subscription',
  ]);
  expect(server.connections()).toBe(1);
});

test('live/T1 asking again, in the middle of a frame, goes on from the own position on the same socket', async () => {
  const asked: (string | undefined)[] = [];
  const server = await serve({
    request: ({ id, method, params }, { say }) => {
      if (method !== 'subscription') return;
      asked.push(params?.lastEventId ?? params?.input?.lastEventId);
      say(id, started);
      say(id, frameAt(9));
      // This frame is for the subscription that has ended in the meantime.
      say(id, frameAt(10));
    },
  });
  const seen: number[] = [];
  const { stream } = follow(server.url, {
    onFrame: ({ g }) => {
      seen.push(g);
      if (seen.length < 3) stream.resubscribe();
    },
  });
  await expect.poll(() => seen).toEqual([9, 9, 9, 10]);
  expect(asked).toEqual(['e1.5', 'e1.5', 'e1.5']);
  expect(server.connections()).toBe(1);
});
