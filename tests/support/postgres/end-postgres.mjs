// Waits until its parent process has ended, even by a kill; then ends the Postgres in the folder given as first argument,
// and removes the folder. It waits for the end of standard input, because the system closes a dead process's pipes.
// It is a separate program, because a killed process cannot clean up after itself.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = process.argv[2];
// Signals to a whole group or terminal must not end the process that cleans up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.once('end', () => void end());

async function end() {
  // A server that was just starting writes its pid a moment later.
  for (let tries = 0; tries < 20 && existsSync(folder); tries += 1) {
    const pid = serverIn(folder);
    if (pid !== undefined) {
      kill(pid);
      break;
    }
    await sleep(50);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  process.exit(0);
}

function serverIn(of) {
  try {
    return Number(readFileSync(join(of, 'postgres', 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // The server has ended already.
  }
}
