import { setTimeout as sleep } from 'node:timers/promises';
import type { Postmaster } from './postmaster.ts';
import { isAlive, processStartTime } from './processes.ts';

const LOOK_EVERY_MS = 250;
/** Wait after a failed restart: a full disk may stay full for long. */
const RETRY_MS = 5_000;

/**
 * Watches a database server and restarts it when it ends unexpectedly: killed because memory ran out, or stopped by a full
 * disk. It polls, because an adopted server is not a child of this process.
 * @param start starts a server at the same address
 * @param say receives sentences for the operator
 * @returns `stop` ends the watching, and returns the server that is running then
 */
export function keepRunning(
  first: Postmaster,
  start: () => Promise<Postmaster>,
  say: (line: string) => void = (line) => console.error(line),
): { stop(): Promise<Postmaster> } {
  let current = first;
  let started = startTimeOf(first);
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(): Promise<void> {
    let reason = '';
    while (!signal.aborted) {
      if (isAlive(current.pid) && startTimeOf(current) === started) {
        await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false });
        continue;
      }
      if (reason === '') say('The database server has ended. It is started again.');
      try {
        current = await start();
        started = startTimeOf(current);
        say('The database server runs again.');
        reason = '';
      } catch (error) {
        const failed = error instanceof Error ? error.message : String(error);
        if (failed !== reason) say(failed);
        reason = failed;
        await sleep(RETRY_MS, undefined, { signal, ref: false });
      }
    }
  }
  // `watch` rejects only when `stop` aborts its sleep.
  const watching = watch().catch(() => undefined);

  return {
    async stop() {
      stopping.abort();
      await watching;
      return current;
    },
  };
}

/** Distinguishes a server from a later process with the same id. Only on Linux: elsewhere each check would start a process. */
function startTimeOf({ pid }: Postmaster): string {
  return process.platform === 'linux' ? processStartTime(pid) : '';
}
