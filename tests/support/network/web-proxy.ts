import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { pause } from '#tests/support/pace.ts';
import type { Random } from '../random.ts';

/** Probabilities of faults, each from 0 to 1. */
export type Faults = {
  /** The answer of a mutation is dropped after the server has given it, so the client cannot know the outcome. */
  dropAnswer: number;
  /** A mutation arrives twice. */
  doubleRequest: number;
  /** The answer of a query (a snapshot) is delayed, up to `lateMs`. */
  lateSnapshot: number;
  lateMs: number;
  /** A call never arrives. */
  loseRequest: number;
  doubleFrame: number;
  /** A frame and all after it are delayed, up to `frameMs`. */
  delayFrame: number;
  frameMs: number;
  /** The socket breaks right after a frame. */
  cutAfterFrame: number;
};

export const CALM: Faults = {
  dropAnswer: 0,
  doubleRequest: 0,
  lateSnapshot: 0,
  lateMs: 0,
  loseRequest: 0,
  doubleFrame: 0,
  delayFrame: 0,
  frameMs: 0,
  cutAfterFrame: 0,
};

/** A bad network between browsers and servers. */
export type WebProxy = {
  url: string;
  faults(faults: Faults): void;
  /** Breaks every live socket. */
  cut(): void;
  /** Keeps open sockets open, but passes nothing on. */
  blackhole(): void;
  /** The ids of the operations whose request was doubled. */
  doubledOperations: ReadonlySet<string>;
  counts: Record<'dropped' | 'doubled' | 'late' | 'lost' | 'cut' | 'doubledFrames' | 'delayedFrames', number>;
  close(): Promise<void>;
};

/** @param target returns the URL of a server for each call; the server may be down */
export async function startWebProxy(target: () => string, random: Random): Promise<WebProxy> {
  let faults = CALM;
  const links = new Set<Link>();
  const doubledOperations = new Set<string>();
  const counts = { dropped: 0, doubled: 0, late: 0, lost: 0, cut: 0, doubledFrames: 0, delayedFrames: 0 };
  const server = createServer((near, answer) => void forward(near, answer));
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('upgrade', (near, socket, head) => {
    sockets.handleUpgrade(near, socket, head, (client) => links.add(new Link(client, near)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;

  async function forward(near: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    try {
      for await (const chunk of near) body.push(chunk);
    } catch {
      return; // The client has gone.
    }
    const content = Buffer.concat(body);
    const writes = near.method === 'POST' || near.method === 'PUT';
    // All random numbers are drawn at once, so that their count does not depend on what happens.
    const [lose, double, drop, late, wait] = chances(random);
    if (lose < faults.loseRequest) {
      counts.lost += 1;
      near.socket.destroy();
      return;
    }
    const to = target();
    if (writes && double < faults.doubleRequest) {
      counts.doubled += 1;
      const [, id] = /"operationId":"([^"]+)"/.exec(content.toString()) ?? [];
      if (id !== undefined) doubledOperations.add(id);
      void call(to, near, content).catch(() => undefined);
    }
    try {
      const got = await call(to, near, content);
      if (writes && drop < faults.dropAnswer) {
        counts.dropped += 1;
        near.socket.destroy();
        return;
      }
      if (!writes && late < faults.lateSnapshot) {
        counts.late += 1;
        await pause(wait * faults.lateMs);
      }
      answer.writeHead(got.status, got.headers);
      answer.end(got.content);
    } catch {
      near.socket.destroy();
    }
  }

  /** One live socket, passed on message by message. */
  class Link {
    readonly #near: WebSocket;
    readonly #far: WebSocket;
    #queue: Promise<void> = Promise.resolve();
    #dark = false;

    constructor(near: WebSocket, { url, headers }: IncomingMessage) {
      this.#near = near;
      const to = target();
      this.#far = new WebSocket(`${to.replace('http', 'ws')}${url ?? '/'}`, {
        perMessageDeflate: false,
        headers: { origin: to, ...(headers.cookie === undefined ? {} : { cookie: headers.cookie }) },
      });
      const early: string[] = [];
      near.on('message', (data) => {
        if (this.#dark) return;
        if (this.#far.readyState === WebSocket.OPEN) this.#far.send(String(data));
        else early.push(String(data));
      });
      this.#far.on('open', () => {
        for (const text of early) this.#far.send(text);
      });
      this.#far.on('message', (data) => this.#bring(String(data)));
      for (const [one, other] of [
        [near, this.#far],
        [this.#far, near],
      ] as const) {
        one.on('error', () => other.terminate());
        one.on('close', (code) => {
          links.delete(this);
          if (this.#dark) return;
          // The close comes after the delayed messages, with the code that the client acts on.
          this.#queue = this.#queue.then(() => {
            if (code >= 1000 && code !== 1005 && code !== 1006) other.close(code);
            else other.terminate();
          });
        });
      }
    }

    #bring(text: string): void {
      if (this.#dark) return;
      const [double, delay, wait, cut] = chances(random);
      const held = delay < faults.delayFrame ? wait * faults.frameMs : 0;
      const send = () => {
        if (this.#dark || this.#near.readyState !== WebSocket.OPEN) return;
        this.#near.send(text);
        if (double < faults.doubleFrame) {
          counts.doubledFrames += 1;
          this.#near.send(text);
        }
        if (cut < faults.cutAfterFrame) this.break();
      };
      if (held > 0) counts.delayedFrames += 1;
      this.#queue = this.#queue.then(async () => {
        if (held > 0) await pause(held);
        send();
      });
    }

    break(): void {
      counts.cut += 1;
      this.#near.terminate();
      this.#far.terminate();
    }

    darken(): void {
      this.#dark = true;
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    doubledOperations,
    faults(next) {
      faults = next;
    },
    cut() {
      for (const link of [...links]) link.break();
    },
    blackhole() {
      for (const link of [...links]) link.darken();
    },
    close() {
      for (const link of [...links]) link.break();
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Chances = [number, number, number, number, number];

function chances({ next }: Random): Chances {
  return [next(), next(), next(), next(), next()];
}

type Got = { status: number; headers: Record<string, string | string[]>; content: Buffer };

function call(to: string, near: IncomingMessage, content: Buffer): Promise<Got> {
  const { host: _, origin, connection: __, ...headers } = near.headers;
  return new Promise((resolve, reject) => {
    const far = request(
      `${to}${near.url ?? '/'}`,
      {
        method: near.method ?? 'GET',
        // The origin is the server's own, so the request looks as if one of the server's pages had sent it.
        headers: {
          ...headers,
          ...(origin === undefined ? {} : { origin: to }),
          'accept-encoding': 'identity',
        },
        timeout: 20_000,
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const { connection: ___, 'transfer-encoding': ____, ...kept } = answer.headers;
          resolve({
            status: answer.statusCode ?? 502,
            // The cast: headers left out have no value.
            headers: kept as Got['headers'],
            content: Buffer.concat(parts),
          });
        });
      },
    );
    far.on('timeout', () => far.destroy(new Error('no answer')));
    far.on('error', reject);
    far.end(content);
  });
}
