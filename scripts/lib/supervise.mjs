import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** The pauses before a crashed server is restarted: the first after the first crash within a minute, and so on. */
const PAUSES_MS = [250, 1_000, 4_000, 10_000];
const CRASHES_MAX = PAUSES_MS.length + 1;
const WITHIN_MS = 60_000;
/** `EX_CONFIG`: a setting is invalid, so another start would fail as well (`server/kernel/start-refused.ts`). */
const EXIT_CONFIGURATION = 78;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Runs a server in a child process and restarts it after a crash. The server sends `ready` on the IPC channel once it
 * serves. It is not restarted if it exits normally, was never ready, has an invalid setting, was told to stop, or crashes
 * for the fifth time within a minute.
 * @param {readonly string[]} args arguments for Node
 * @param {{ signals?: NodeJS.EventEmitter, say?: (line: string) => void, pausesMs?: readonly number[] }} [options]
 *   `signals`: the emitter of signals to this process; tests pass their own
 * @returns {Promise<number>} the exit status for this process
 */
export async function supervise(
  args,
  { signals = process, say = (line) => console.error(line), pausesMs = PAUSES_MS } = {},
) {
  const stopping = new AbortController();
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  for (const signal of SIGNALS) {
    // Every signal is passed on, not only the first, because a second signal makes the server exit at once.
    signals.on(signal, () => {
      stopping.abort();
      child?.kill(signal);
    });
  }

  let wasReady = false;
  /** @type {number[]} */
  let crashes = [];
  for (;;) {
    child = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (message) => {
      wasReady ||= message === 'ready';
    });
    const ended = await endOf(child);
    child = undefined;
    const status = ended.code ?? 1;
    const inOrder = status === 0 || status === EXIT_CONFIGURATION;
    if (inOrder || stopping.signal.aborted || !wasReady) return status;

    const now = performance.now();
    crashes = [...crashes.filter((at) => now - at < WITHIN_MS), now];
    const how = ended.signal === null ? `with status ${status}` : `by ${ended.signal}`;
    if (crashes.length === CRASHES_MAX) {
      say(`Lintel ended ${how}, for the ${CRASHES_MAX}th time within a minute. It is not started again.`);
      return status;
    }
    const pause = pausesMs[crashes.length - 1] ?? 0;
    say(`Lintel ended ${how}. It is started again in ${pause / 1_000} s.`);
    await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return 0;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
function endOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
