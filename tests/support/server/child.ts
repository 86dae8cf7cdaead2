import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Servers and load generators run in separate processes, so that their CPU times can be measured separately.

/** The requests that a child answers: JSON in, JSON out. */
export type Handlers = Readonly<Record<string, (input: never) => unknown>>;
type Ask = { id: number; method: string; input: unknown };
type Answer = { id: number; result?: unknown; error?: string };

export type Child<H extends Handlers> = {
  readonly pid: number;
  ask<M extends keyof H & string>(method: M, input: Parameters<H[M]>[0]): Promise<Awaited<ReturnType<H[M]>>>;
  signal(signal: NodeJS.Signals): void;
  /** Ends the process, and waits until it has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
};

/** Called inside a child: answers the parent's requests until the parent has ended. */
export function serve(handlers: Handlers): void {
  process.on('message', (message: Ask) => {
    const { id, method, input } = message;
    Promise.resolve()
      // The cast: request and handler are typed together in `Child`, but untyped on the channel.
      .then(() => handlers[method]?.(input as never))
      .then(
        (result) => process.send?.({ id, result } satisfies Answer),
        (error: unknown) =>
          process.send?.({
            id,
            error: error instanceof Error ? (error.stack ?? error.message) : String(error),
          } satisfies Answer),
      );
  });
  process.on('disconnect', () => process.exit(0));
}

/** A small disk at an existing folder, which only the child sees. */
export type OwnDisk = { folder: string; mebibytes: number };

const IN_A_NAMESPACE = ['--user', '--map-root-user', '--mount'];

/** Whether this machine can give a child a disk of its own. */
export function canHaveOwnDisk(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', [...IN_A_NAMESPACE, 'true']).status === 0;
}

/** Replaces Node by a shell that mounts the disk and then becomes Node. */
function onOwnDisk({ folder, mebibytes }: OwnDisk, nodeArgs: readonly string[]) {
  const script = `mount -t tmpfs -o size=${mebibytes}m tmpfs "$0" && exec "$@"`;
  const execArgv = [...IN_A_NAMESPACE, 'sh', '-c', script, folder, process.execPath, ...nodeArgs];
  return { execPath: 'unshare', execArgv };
}

/**
 * Starts a module as a child process.
 * @param options.nodeArgs arguments for Node itself: `--expose-gc`, `--cpu-prof`
 */
export function startChild<H extends Handlers>(
  file: URL,
  options: { nodeArgs?: readonly string[]; env?: Record<string, string>; disk?: OwnDisk } = {},
): Child<H> {
  const nodeArgs = ['--import', 'tsx', ...(options.nodeArgs ?? [])];
  const child: ChildProcess = fork(fileURLToPath(file), [], {
    ...(options.disk === undefined ? { execArgv: nodeArgs } : onOwnDisk(options.disk, nodeArgs)),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let asked = 0;
  let gone = false;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      gone = true;
      for (const { reject } of waiting.values()) reject(new Error(`the child ended (${signal ?? code})`));
      waiting.clear();
      resolve();
    });
  });
  child.on('message', (message: Answer) => {
    const { id, result, error } = message;
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asker?.resolve(result);
    else asker?.reject(new Error(error));
  });
  const stopWithUs = () => child.kill('SIGKILL');
  process.once('exit', stopWithUs);

  return {
    get pid() {
      return child.pid ?? 0;
    },
    ask(method, input) {
      if (gone) return Promise.reject(new Error('the child has ended'));
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        // The cast: the handler returns what `H` says; the channel is untyped.
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
        child.send({ id, method, input } satisfies Ask);
      });
    },
    signal: (signal) => void child.kill(signal),
    async kill(signal = 'SIGKILL') {
      process.off('exit', stopWithUs);
      if (!gone) child.kill(signal);
      if (signal === 'SIGTERM') {
        const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
        await ended;
        clearTimeout(hard);
      }
      await ended;
    },
  };
}

/** CPU time of this process so far, user and system, in microseconds. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** A clock shared by all processes of the machine, in milliseconds. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
