// Waits until the process that started it has ended, however it ended, then ends the Postgres in the folder that the
// first argument names, and removes the folder. The end of standard input is the sign: the system closes a dead
// process's pipes. It is a program of its own because whoever is killed by force cannot tidy up.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = process.argv[2];
// What ends a whole group or terminal must not end the one who tidies up after it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.once('end', () => void end());

async function end() {
  // A server that was just being started writes its number a moment later; nobody waits for a clean end.
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
    // It has ended already.
  }
}
