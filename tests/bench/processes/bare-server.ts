import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres, { type Sql } from 'postgres';
import { type WebSocket, WebSocketServer } from 'ws';
import { atRate, pause } from '#tests/support/pace.ts';
import { cpuMicros, type Handlers, serve, sharedClock } from '#tests/support/server/child.ts';

// The reference: a bare `ws` server that sends one prepared frame to all clients, with nothing around it.

const sockets = new Set<WebSocket>();
let sql: Sql | undefined;

const handlers = {
  listen(): Promise<string> {
    const server = createServer();
    const socketServer = new WebSocketServer({ server, perMessageDeflate: false });
    socketServer.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // The subscription is the only message that clients send to this server.
      socket.on('message', () => socket.send('{"id":1,"jsonrpc":"2.0","result":{"type":"started"}}'));
    });
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        // The cast: a listening TCP server has an address with a port.
        const { port } = server.address() as AddressInfo;
        resolve(`ws://127.0.0.1:${port}`);
      });
    });
  },
  /** Sends the text to all clients, `times` times; with `everyMs` 0 as fast as the sockets accept it. */
  async broadcast(input: { text: string; times: number; everyMs: number }) {
    const data = Buffer.from(input.text);
    for (let sent = 0; sent < input.times; sent += 1) {
      for (const socket of sockets) socket.send(data, { binary: false });
      if (input.everyMs > 0) await pause(input.everyMs);
      else await drained();
    }
  },
  cpu: cpuMicros,
  /** Listens for NOTIFY and sends each payload, inside the text, to all clients. */
  async relay(input: { databaseUrl: string; before: string; after: string }) {
    sql = postgres(input.databaseUrl, { max: 4, onnotice: () => {} });
    await sql.listen('bare', (payload) => {
      const data = Buffer.from(`${input.before}${payload}${input.after}`);
      for (const socket of sockets) socket.send(data, { binary: false });
    });
  },
  /** Updates a row and notifies in the same transaction, at a rate. Returns the time of each request, by id. */
  async write(input: { rows: string[]; perSecond: number; seconds: number }): Promise<[string, number][]> {
    const asked: [string, number][] = [];
    const database = sql;
    if (database === undefined) throw new Error('relay first');
    let written = 0;
    await atRate(input.perSecond, input.seconds, async () => {
      const id = crypto.randomUUID();
      written += 1;
      const row = input.rows[written % input.rows.length] ?? '';
      asked.push([id, sharedClock()]);
      await database.begin(async (tx) => {
        await tx`update building_issues set title = ${`Title ${id}`}, version = version + 1 where id = ${row}`;
        await tx`select pg_notify('bare', ${id})`;
      });
    });
    return asked;
  },
} satisfies Handlers;
export type BareHandlers = typeof handlers;

async function drained(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  while ([...sockets].some((socket) => socket.bufferedAmount > 65_536)) await pause(1);
}

serve(handlers);
