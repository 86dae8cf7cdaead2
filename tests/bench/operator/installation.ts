import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// An installation as an operator has it: a command that runs the server, and a command for everything else.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** Settings by their names; folders and files are paths on this machine. */
export type Settings = Readonly<Record<string, string>>;

export type Served = {
  url: string;
  /** Ends the server in order (SIGTERM). */
  stop(): Promise<void>;
};

/**
 * The commands, run by a shell with the settings in their environment. To measure another form of the installation, such as
 * a container, set its commands.
 */
const {
  INSTALLATION_SERVER:
    SERVER = 'exec node --max-semi-space-size=8 --enable-source-maps .cache/server/main.js',
  INSTALLATION_ADMIN: ADMIN = 'exec node --enable-source-maps .cache/server/admin.js "$@"',
} = process.env;

/** Runs a command of the operator. @returns its output */
export async function admin(settings: Settings, ...args: string[]): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', ADMIN, 'admin', ...args], {
    cwd: root,
    env: environment(settings),
  });
  return stdout;
}

/** Starts the server. Resolves when it is ready. @param after registers its end with the measurement */
export async function serve(
  settings: Settings,
  after: (end: () => Promise<unknown>) => void,
): Promise<Served> {
  const child = spawn('/bin/sh', ['-c', SERVER], {
    cwd: root,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const endWithUs = () => signal(child, 'SIGKILL');
  process.once('exit', endWithUs);
  const stop = async () => {
    process.off('exit', endWithUs);
    if (child.exitCode === null && child.signalCode === null) signal(child, 'SIGTERM');
    await ended;
  };
  after(stop);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const address = /Lintel is ready at (\S+)/.exec(printed)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
    child.once('exit', (code) => reject(new Error(`The server ended (${code}):\n${printed}`)));
  });
  return { url, stop };
}

/** Signals the whole group: a command that wraps the server may not pass signals on. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, name);
}

function environment(settings: Settings): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], NODE_ENV: 'production', LOG_LEVEL: 'warn', ...settings };
}
