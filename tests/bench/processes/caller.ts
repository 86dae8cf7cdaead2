import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';
import { type Handlers, serve } from '#tests/support/server/child.ts';
import { CALL_KINDS, type CallName } from '../call-kinds.ts';
import type { CallPlaces } from '../data/call-population.ts';
import { percentile } from '../figure.ts';

// A process of callers that send tRPC calls as the web client does, or calls of the API. Each caller waits for its answer
// before the next call.

export type Run = {
  url: string;
  call: CallName;
  callers: number;
  /** When to end: after a time, or after a number of calls in all. */
  until: { seconds: number } | { calls: number };
  /** The caller: a person's page, or a program with a key of the API. */
  by?: 'page' | 'program';
};
export type Ran = {
  calls: number;
  perSecond: number;
  p50: number;
  p95: number;
  /** Bytes of a call on the wire, headers included. */
  sent: number;
  received: number;
};

const agent = new Agent({ keepAlive: true });
const sockets = new Set<Socket>();
/** The next number of each kind of call. */
const numbers = new Map<CallName, number>();
let places: CallPlaces | undefined;

const handlers = {
  prepare(input: CallPlaces): void {
    places = input;
  },
  async run({ url, call, callers, until, by = 'page' }: Run): Promise<Ran> {
    if (places === undefined) throw new Error('prepare first');
    const { cookies, apiKeys } = places;
    const took: number[] = [];
    const before = bytes();
    const start = performance.now();
    let begun = 0;
    const goesOn = () =>
      'calls' in until ? begun < until.calls : performance.now() - start < until.seconds * 1_000;
    const caller = async () => {
      while (goesOn()) {
        const cookie = cookies[begun % cookies.length] ?? '';
        const apiKey = apiKeys[begun % apiKeys.length] ?? '';
        begun += 1;
        const from = performance.now();
        await (by === 'page' ? send(url, call, cookie) : sendByApi(url, call, apiKey));
        took.push(performance.now() - from);
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    const seconds = (performance.now() - start) / 1_000;
    const after = bytes();
    return {
      calls: took.length,
      perSecond: took.length / seconds,
      p50: percentile(took, 0.5),
      p95: percentile(took, 0.95),
      sent: (after.sent - before.sent) / took.length,
      received: (after.received - before.received) / took.length,
    };
  },
} satisfies Handlers;
export type CallerHandlers = typeof handlers;

/** Sends the next call of a kind and reads the whole answer. */
async function send(url: string, call: CallName, cookie: string): Promise<void> {
  const { procedure, batched, saves } = CALL_KINDS[call];
  const given = nextInput(call);
  const text = JSON.stringify(batched ? { 0: given } : given);
  const query = new URLSearchParams({
    ...(batched ? { batch: '1' } : {}),
    ...(saves || text === undefined ? {} : { input: text }),
  });
  const headers = { cookie, origin: url, 'x-app': '1' };
  const to = `${url}/trpc/${procedure}${query.size === 0 ? '' : `?${query}`}`;
  await exchange(to, headers, saves ? text : undefined, 200);
}

/** Sends the next call of a kind as a program does. */
async function sendByApi(url: string, call: CallName, apiKey: string): Promise<void> {
  const { byApi } = CALL_KINDS[call];
  if (byApi === undefined) throw new Error(`${call} is not measured by the API`);
  // The cast: the input is of the same kind of call.
  const { path, idempotencyKey, body } = byApi(nextInput(call) as never);
  const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': idempotencyKey };
  await exchange(`${url}${path}`, headers, JSON.stringify(body), 201);
}

function nextInput(call: CallName): unknown {
  if (places === undefined) throw new Error('prepare first');
  const n = numbers.get(call) ?? 0;
  numbers.set(call, n + 1);
  return CALL_KINDS[call].input(places, n);
}

/** Sends a request and reads the whole answer. */
async function exchange(
  to: string,
  headers: OutgoingHttpHeaders,
  text: string | undefined,
  expected: number,
): Promise<void> {
  const sent = {
    ...headers,
    'accept-encoding': 'gzip, deflate, br',
    ...(text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };
  const { statusCode, body } = await new Promise<{ statusCode: number | undefined; body: Buffer[] }>(
    (resolve, reject) => {
      const asked = request(
        to,
        { agent, headers: sent, method: text === undefined ? 'GET' : 'POST' },
        (answer: IncomingMessage) => {
          const body: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => body.push(chunk));
          answer.on('end', () => resolve({ statusCode: answer.statusCode, body }));
          answer.on('error', reject);
        },
      );
      asked.on('socket', (socket) => sockets.add(socket));
      asked.on('error', reject);
      asked.end(text);
    },
  );
  if (statusCode !== expected) {
    throw new Error(`${to} answered ${statusCode}: ${Buffer.concat(body).toString()}`);
  }
}

function bytes(): { sent: number; received: number } {
  const all = { sent: 0, received: 0 };
  for (const { bytesWritten, bytesRead } of sockets) {
    all.sent += bytesWritten;
    all.received += bytesRead;
  }
  return all;
}

serve(handlers);
