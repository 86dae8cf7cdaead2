import { EventEmitter, on } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { initTRPC, tracked } from '@trpc/server';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { pause } from '#tests/support/pace.ts';
import { cpuMicros, type Handlers, serve } from '#tests/support/server/child.ts';

// The other reference: tRPC's own subscriptions, fed by an emitter as in its documentation.

const emitter = new EventEmitter();
emitter.setMaxListeners(0);
const t = initTRPC.create();
const router = t.router({
  live: t.router({
    stream: t.procedure
      .input(z.object({ lastEventId: z.string().optional() }))
      .subscription(async function* ({ signal }) {
        for await (const [id, data] of on(emitter, 'event', { ...(signal && { signal }) })) {
          yield tracked(String(id), data);
        }
      }),
  }),
});

const handlers = {
  listen(): Promise<string> {
    const server = createServer();
    applyWSSHandler({ wss: new WebSocketServer({ server, perMessageDeflate: false }), router });
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        // The cast: a listening TCP server has an address with a port.
        const { port } = server.address() as AddressInfo;
        resolve(`ws://127.0.0.1:${port}`);
      });
    });
  },
  /** Emits the content of a frame, `times` times. */
  async broadcast(input: { data: unknown; times: number; everyMs: number }) {
    for (let sent = 1; sent <= input.times; sent += 1) {
      emitter.emit('event', `e.${sent}`, input.data);
      await pause(input.everyMs);
    }
  },
  cpu: cpuMicros,
} satisfies Handlers;
export type StockHandlers = typeof handlers;

serve(handlers);
