import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** The outcome of a request: answered, held, cut off, or answered with 404. */
export type Fate = 'answer' | 'hold' | 'cut' | 'gone';

/** A proxy in front of a server that decides about each request by its path. */
export type HttpProxy = {
  url: string;
  /** The requested paths, in order. */
  asked: string[];
  /** Sets the decision from now on, also for held requests. */
  decide(fate: (path: string) => Fate): void;
  /** Ends every connection and accepts no other until the next decision. */
  cutOff(): void;
  close(): Promise<void>;
};

export async function startHttpProxy(target: string): Promise<HttpProxy> {
  const { hostname, port } = new URL(target);
  const asked: string[] = [];
  const open = new Set<Socket>();
  let decide: (path: string) => Fate = () => 'answer';
  let waiting: (() => void)[] = [];

  function forward(near: IncomingMessage, answer: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = near;
    const far = request({ hostname, port, method, path: url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    far.on('error', () => near.socket.destroy());
    near.pipe(far);
  }

  function judge(near: IncomingMessage, answer: ServerResponse): void {
    const fate = decide(pathOf(near));
    if (fate === 'hold') waiting.push(() => judge(near, answer));
    else if (fate === 'cut') near.socket.destroy();
    else if (fate === 'gone') answer.writeHead(404, { 'cache-control': 'no-store' }).end();
    else forward(near, answer);
  }

  const server = createServer((near, answer) => {
    asked.push(pathOf(near));
    judge(near, answer);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('upgrade', (near, socket, head) => {
    if (decide(pathOf(near)) !== 'answer') {
      socket.destroy();
      return;
    }
    const far = connect(Number(port), hostname, () => {
      const lines = Object.entries(near.headers).map(([name, value]) => `${name}: ${String(value)}`);
      far.write(`${near.method} ${near.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      far.write(head);
      far.pipe(socket).pipe(far);
    });
    far.on('error', () => socket.destroy());
    socket.on('error', () => far.destroy());
    socket.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a listening TCP server has an address with a port.
  const { port: own } = server.address() as AddressInfo;

  function decideAnew(fate: (path: string) => Fate): void {
    decide = fate;
    const all = waiting;
    waiting = [];
    for (const again of all) again();
  }

  function endAll(): void {
    for (const socket of open) socket.destroy();
  }

  return {
    url: `http://127.0.0.1:${own}`,
    asked,
    decide: decideAnew,
    cutOff() {
      decideAnew(() => 'cut');
      endAll();
    },
    close() {
      endAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}
