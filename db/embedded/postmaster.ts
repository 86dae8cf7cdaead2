import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { failedTo } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { isAlive, processName } from './processes.ts';
import { type RunAs, runAs, spawnAs } from './run-as.ts';

/** A running database server: its main process and its port. */
export type Postmaster = { pid: number; port: number };

const READY_WITHIN_MS = 120_000; // Recovery after a crash may have much to read.
const LOG_KEPT_BYTES = 5_000_000;

/** Reads the server's pid file; undefined if there is none. */
export function readPidFile(cluster: string): (Postmaster & { status: string }) | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? '' } : undefined;
}

/**
 * Finds a server that is already running on this folder: by design, it survives when its owner is killed. Waits for a server
 * that is shutting down. If the pid now belongs to another program, the pid file is removed.
 */
export async function findRunningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    const found = readPidFile(cluster);
    if (found === undefined || !isAlive(found.pid)) return undefined;
    if (processName(found.pid) !== 'postgres') {
      rmSync(join(cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    if (found.status === 'ready') return found;
    await sleep(50);
  }
  throw new EmbeddedPostgresError(
    `A Postgres (process ${readPidFile(cluster)?.pid}) runs on ${cluster} but never becomes ready. ` +
      'Stop it, then start again.',
  );
}

/**
 * Starts the server and waits until it accepts connections.
 * @param options.sync false for tests: a crash of the machine may lose data
 * @param options.port the address of a server that ran before; any free one if absent
 * @throws EmbeddedPostgresError with the end of its log
 */
export async function startPostmaster(
  binaries: Binaries,
  who: RunAs,
  cluster: string,
  logPath: string,
  options: { sync: boolean; port?: number },
): Promise<Postmaster> {
  if (existsSync(logPath) && statSync(logPath).size > LOG_KEPT_BYTES) renameSync(logPath, `${logPath}.1`);

  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const logStart = existsSync(logPath) ? statSync(logPath).size : 0;
    const port = options.port ?? (await freePort());
    const log = openSync(logPath, 'a', 0o600);
    // Detached, so that Ctrl-C reaches only Lintel, which then stops the server in the right order.
    const child = spawnAs(who, binaries.postgres, ['-D', cluster, ...settings(port, options.sync)], {
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    child.unref();
    if (await isReady(child, cluster, deadline)) {
      if (child.pid !== undefined) return { pid: child.pid, port };
    }
    const said = readFileSync(logPath, 'utf8').slice(logStart);
    if (Date.now() >= deadline || !isPassing(said)) throw failedTo('start', cluster, said);
    await sleep(200);
  }
}

/** Stops the server by a fast shutdown, or by an immediate one if that takes too long. */
export async function stopPostmaster(
  binaries: Binaries,
  who: RunAs,
  cluster: string,
  pid: number,
): Promise<void> {
  const gone = () => !isAlive(pid) || readPidFile(cluster)?.pid !== pid;
  if (process.platform === 'win32') {
    // Windows has no signals: `kill` would end the server as a crash does.
    await runAs(who, binaries.pgCtl, ['stop', '-m', 'fast', '-w', '-D', cluster]);
  } else {
    signal(pid, 'SIGINT');
    if (!(await within(20_000, gone))) signal(pid, 'SIGQUIT');
  }
  await within(5_000, gone);
  // The pid file is removed just before the process ends, and only then is the folder free.
  await within(2_000, () => !isAlive(pid));
}

function settings(port: number, sync: boolean): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '', // Socket paths are limited to 107 bytes, which the path of a checkout can exceed.
    max_connections: 100,
    shared_buffers: '128MB',
    // Less than the disk space that stored files leave free (256 MiB): the default of 1 GB could fill a small disk with WAL.
    max_wal_size: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...(sync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Whether the child reports that it is ready. The pid file may still be that of a killed server, so its pid is compared. */
async function isReady(child: ChildProcess, cluster: string, deadline: number): Promise<boolean> {
  let ended = false;
  child.on('error', () => {
    ended = true;
  });
  child.once('exit', () => {
    ended = true;
  });
  while (!ended && Date.now() < deadline) {
    const found = readPidFile(cluster);
    if (found?.pid === child.pid && found?.status === 'ready') return true;
    await sleep(20);
  }
  if (!ended) child.kill('SIGQUIT');
  return false;
}

/**
 * Whether the failure is temporary: another program took the port first, children of a killed server are still running, or
 * the system has not reaped the killed server yet. (A server that is really running was excluded before.)
 */
function isPassing(log: string): boolean {
  return /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block|"postmaster\.pid" already exists/.test(
    log,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('The system gave no port')),
      );
    });
  });
}

async function within(milliseconds: number, condition: () => boolean): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() >= deadline) return false;
    await sleep(10);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}
