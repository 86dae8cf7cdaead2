import { partOf, startCountingProxy, type Traffic } from '#tests/support/network/counting-proxy.ts';
import { pause } from '#tests/support/pace.ts';
import type { Child } from '#tests/support/server/child.ts';
import { CALL_NAMES, type CallName } from './call-kinds.ts';
import type { CallerHandlers } from './processes/caller.ts';

const CALLS = 20;
/** Enough that every connection of the pool has prepared each statement once. */
const WARM_UP_CALLS = 40;
const IDLE_MS = 3_000;
const SETTLE_MS = 100;

/** The traffic of one call: its own, and the stream's. */
export type TripsOfCall = { calls: Traffic; stream: Traffic };

/** The connections on which calls run, by their `application_name`. */
const POOLS = ['lintel', 'plain'];

/**
 * Statements and round trips of each call, by one caller, without the traffic that also passes while there are no calls.
 * @param postgres the port of Postgres
 * @param start starts a server whose Postgres is behind this port
 */
export async function countRoundTrips(
  postgres: number,
  caller: Child<CallerHandlers>,
  start: (port: number) => Promise<{ url: string; stop(): Promise<void> }>,
): Promise<Map<CallName, TripsOfCall>> {
  const proxy = await startCountingProxy(postgres, partOf(POOLS));
  const { url, stop } = await start(proxy.port);
  try {
    for (const call of CALL_NAMES) {
      await caller.ask('run', { url, call, callers: 8, until: { calls: WARM_UP_CALLS } });
      await caller.ask('run', { url, call, callers: 1, until: { calls: CALLS } });
    }
    await pause(SETTLE_MS);
    proxy.take();
    await pause(IDLE_MS);
    const idle = proxy.take();
    const found = new Map<CallName, TripsOfCall>();
    for (const call of CALL_NAMES) {
      const from = performance.now();
      await caller.ask('run', { url, call, callers: 1, until: { calls: CALLS } });
      await pause(SETTLE_MS);
      const counted = proxy.take();
      const share = (performance.now() - from) / IDLE_MS;
      found.set(call, {
        calls: perCall(counted.calls, idle.calls, share),
        stream: perCall(counted.stream, idle.stream, share),
      });
    }
    return found;
  } finally {
    await stop();
    await proxy.close();
  }
}

function perCall(counted: Traffic, idle: Traffic, share: number): Traffic {
  const without = (what: keyof Traffic) => Math.max(0, counted[what] - idle[what] * share) / CALLS;
  return { statements: without('statements'), roundTrips: without('roundTrips') };
}
