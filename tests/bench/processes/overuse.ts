import { setMaxListeners } from 'node:events';
import { EXPECTATIONS } from '#tests/support/expectations/expectations.ts';
import { pause } from '#tests/support/pace.ts';
import { type Handlers, serve } from '#tests/support/server/child.ts';
import { headersFor } from '../../support/server/client.ts';
import type { LargestData } from '../data/largest-data.ts';
import { largestInput } from '../data/largest-inputs.ts';
import { LARGEST_REQUESTS, send } from '../data/largest-requests.ts';

// One person who makes one kind of call as often, and as many at once, as the limits allow.

/** Calls in one request, and requests at once: together as many calls as a person may make at once. */
const BATCH = 20;
const REQUESTS = 30;
/** After that, a person may make 40 calls per second. */
const AGAIN_EVERY_MS = 500;
/** Requests at once to routes, which allow fewer of each kind. */
const TO_ROUTES = 12;

/** Numbers of calls that were sent, answered, and refused because of a limit. */
export type Overused = { sent: number; answered: number; limited: number };

let data: LargestData | undefined;
/** Time for abandoned requests to settle. */
const SETTLES_MS = 200;
/** Number of the last call of a kind, so that each call has an input of its own. */
let number = 0;

const handlers = {
  prepare(input: LargestData): void {
    data = input;
  },
  /** Makes calls for a time, then leaves: requests without an answer are abandoned. */
  async overuse(input: { url: string; cookie: string; name: string; ms: number }): Promise<Overused> {
    const counts: Overused = { sent: 0, answered: 0, limited: 0 };
    number = 0;
    const leaving = AbortSignal.timeout(input.ms);
    setMaxListeners(0, leaving);
    const left = new Promise((resolve) =>
      leaving.addEventListener('abort', () => setTimeout(resolve, SETTLES_MS)),
    );
    const overusing = Object.hasOwn(EXPECTATIONS, input.name) ? callOften : requestOften;
    // A request that is abandoned while its body is read may never settle.
    await Promise.race([overusing(input, counts, leaving), left]);
    return counts;
  },
} satisfies Handlers;
export type OveruseHandlers = typeof handlers;

type Asked = { url: string; cookie: string; name: string };

async function callOften(asked: Asked, counts: Overused, leaving: AbortSignal): Promise<void> {
  const all: Promise<void>[] = [];
  for (let n = 0; n < REQUESTS; n += 1) all.push(callInBatch(asked, counts, leaving));
  while (!leaving.aborted) {
    await pause(AGAIN_EVERY_MS);
    if (!leaving.aborted) all.push(callInBatch(asked, counts, leaving));
  }
  await Promise.all(all);
}

async function callInBatch(
  { url, cookie, name }: Asked,
  counts: Overused,
  leaving: AbortSignal,
): Promise<void> {
  const row = EXPECTATIONS[name];
  if (row === undefined || data === undefined) throw new Error('prepare first');
  const isQuery = row.kind === 'query';
  const inputs: unknown[] = [];
  // A query has its inputs in the address, which has 16 kB at most; a body has 256.
  const room = isQuery ? 12_000 : 250_000;
  for (let length = 0; inputs.length < BATCH; ) {
    const input = largestInput(name, data, number);
    number += 1;
    length += encodeURIComponent(JSON.stringify(input) ?? '').length;
    if (inputs.length > 0 && length > room) break;
    inputs.push(input);
  }
  const body = JSON.stringify({ ...inputs });
  const paths = inputs.map(() => name).join(',');
  const query = `?batch=1${isQuery ? `&input=${encodeURIComponent(body)}` : ''}`;
  counts.sent += inputs.length;
  await settled(counts, inputs.length, () =>
    fetch(`${url}/trpc/${paths}${query}`, {
      method: isQuery ? 'GET' : 'POST',
      headers: { ...headersFor(url, cookie), ...(isQuery ? {} : { 'content-type': 'application/json' }) },
      ...(isQuery ? {} : { body }),
      signal: leaving,
    }),
  );
}

async function requestOften(
  { url, cookie, name }: Asked,
  counts: Overused,
  leaving: AbortSignal,
): Promise<void> {
  const request = Object.values(LARGEST_REQUESTS)
    .flat()
    .find((each) => each.name === name);
  if (request === undefined || data === undefined) throw new Error(`there is no request ${name}`);
  const asking = { url, cookie, data };
  const worker = async () => {
    while (!leaving.aborted) {
      number += 1;
      const n = number;
      try {
        const prepared = await request.prepare?.(asking, n);
        if (leaving.aborted) return;
        counts.sent += 1;
        await settled(counts, 1, () => send(asking, request, { n, prepared, signal: leaving }));
      } catch {
        // The preparation was refused because of the same limits.
        counts.limited += 1;
        await pause(50);
      }
    }
  };
  await Promise.all(Array.from({ length: request.atOnce ?? TO_ROUTES }, worker));
}

async function settled(counts: Overused, calls: number, ask: () => Promise<Response>): Promise<void> {
  try {
    const answer = await ask();
    for await (const _ of answer.body ?? []);
    if (answer.status === 429 || answer.status === 503) counts.limited += calls;
    else counts.answered += calls;
  } catch {
    // The request was abandoned or cut off.
  }
}

serve(handlers);
