import { setTimeout as sleep } from 'node:timers/promises';
import type { Postmaster } from './postmaster.ts';
import { isAlive, processStartTime } from './processes.ts';

const LOOK_EVERY_MS = 250;
/** Between attempts to start it again: a disk that is full may take long to be emptied. */
const RETRY_MS = 5_000;

/**
 * Watches a database server and starts it again when it has ended without being asked: killed for its memory, or given up
 * on a full disk. Polling, because an adopted server is no child of this process.
 * @param start starts a server at the same address
 * @param say is given sentences for the operator
 * @returns `stop` ends the watching, and returns the server that runs then
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
  // Only the end of the watching ends it: the sleep is then aborted.
  const watching = watch().catch(() => undefined);

  return {
    async stop() {
      stopping.abort();
      await watching;
      return current;
    },
  };
}

/** Tells a server from a later process with its id; a reuse is not noticed where asking takes a process of its own. */
function startTimeOf({ pid }: Postmaster): string {
  return process.platform === 'linux' ? processStartTime(pid) : '';
}
