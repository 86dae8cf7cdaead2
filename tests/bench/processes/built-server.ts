import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OwnDatabase } from '#tests/support/postgres/own-postgres.ts';
import type { Setting } from '../setting.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The server that `npm start` runs, in a process of its own. */
export type BuiltServer = {
  url: string;
  pid: number;
  /** Time from the start of the process to its message that it is ready. */
  startMs: number;
  /** The folder of its files. */
  dataDir: string;
  /** Opens the inspector, only on request because it takes memory; see `tests/support/server/inspector.ts`. */
  inspect(): Promise<string>;
  /** Sends a message to the module that was loaded before the server, and returns the answer. */
  ask(message: string): Promise<unknown>;
  stop(): Promise<void>;
  kill(): Promise<void>;
};

/** The arguments that `npm start` gives to Node, before the script. */
function argsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...args] = scripts.start.split(' ');
  return args.slice(0, args.indexOf('scripts/start.mjs'));
}

/**
 * Starts the server as `npm run bench` has built it, on a migrated database, as with a Postgres of its own.
 * @param options.before a module to load before the server, in its process
 * @param options.env further settings
 */
export async function startBuilt(
  setting: Setting,
  { appUrl, ownerUrl }: Pick<OwnDatabase, 'appUrl' | 'ownerUrl'>,
  { port = 0, before, env = {} }: { port?: number; before?: URL; env?: Record<string, string> } = {},
): Promise<BuiltServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-bench-'));
  const start = performance.now();
  const imported = before === undefined ? [] : ['--import', before.href];
  const nodeArgs = [...argsOfStart(), '--enable-source-maps', '--inspect-port=127.0.0.1:0', ...imported];
  const child = spawn(process.execPath, [...nodeArgs, join(root, '.cache', 'server', 'main.js')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: appUrl,
      MIGRATION_DATABASE_URL: ownerUrl,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      DATA_DIR: folder,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe', ...(before === undefined ? [] : (['ipc'] as const))],
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the output of the server is nowhere');
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stopWithUs = () => child.kill('SIGKILL');
  process.once('exit', stopWithUs);
  let stopping = false;
  const end = async (signal: NodeJS.Signals) => {
    stopping = true;
    process.off('exit', stopWithUs);
    child.kill(signal);
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const stop = () => end('SIGTERM');
  setting.after(stop);
  let opened: Promise<string> | undefined;
  const inspect = () => {
    opened ??= new Promise((resolve) => {
      stderr.on('data', (chunk: Buffer) => {
        const address = /ws:\S+/.exec(chunk.toString())?.[0];
        if (address !== undefined) resolve(address);
      });
      child.kill('SIGUSR1');
    });
    return opened;
  };
  const ask = (message: string) =>
    new Promise<unknown>((resolve) => {
      // Texts are messages of the server itself, not answers.
      const hear = (answer: unknown) => {
        if (typeof answer !== 'object') return;
        child.off('message', hear);
        resolve(answer);
      };
      child.on('message', hear);
      child.send(message);
    });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    let ready = false;
    for (const stream of [stdout, stderr]) {
      stream.on('data', (chunk: Buffer) => {
        // Not printed: warnings of a server that is stopping, and messages about the inspector.
        if (ready && !stopping && !chunk.toString().startsWith('Debugger ')) process.stderr.write(chunk);
        if (ready) return;
        said += chunk.toString();
        const address = /Lintel is ready at (\S+)/.exec(said)?.[1];
        if (address === undefined) return;
        ready = true;
        resolve(address);
      });
    }
    child.once('exit', (code) => reject(new Error(`The server ended (${code}):\n${said}`)));
  });
  const startMs = performance.now() - start;
  return {
    url,
    pid: child.pid ?? 0,
    startMs,
    dataDir: folder,
    inspect,
    ask,
    stop,
    kill: () => end('SIGKILL'),
  };
}
