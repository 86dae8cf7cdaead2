import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OwnDatabase } from '#tests/support/own-postgres.ts';
import type { Setting } from './setting.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The server that `npm start` runs, in a process of its own. */
export type BuiltServer = {
  url: string;
  pid: number;
  /** From the start of the process to its sentence that it is ready. */
  startMs: number;
  /** Where its memory can be asked for; see `tests/support/inspector.ts`. */
  inspector: string;
  stop(): Promise<void>;
};

/** Starts the server as `npm run bench` has built it, on a migrated database, as with a Postgres of its own. */
export async function startBuilt(
  setting: Setting,
  { appUrl, ownerUrl }: Pick<OwnDatabase, 'appUrl' | 'ownerUrl'>,
): Promise<BuiltServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-bench-'));
  const start = performance.now();
  const nodeArgs = ['--enable-source-maps', '--inspect=127.0.0.1:0'];
  const child = spawn(process.execPath, [...nodeArgs, join(root, '.cache', 'server', 'main.js')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: appUrl,
      MIGRATION_DATABASE_URL: ownerUrl,
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATA_DIR: folder,
    },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stopWithUs = () => child.kill('SIGKILL');
  process.once('exit', stopWithUs);
  let stopping = false;
  const stop = async () => {
    stopping = true;
    process.off('exit', stopWithUs);
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  setting.after(stop);
  const { url, inspector } = await new Promise<Pick<BuiltServer, 'url' | 'inspector'>>((resolve, reject) => {
    let said = '';
    let ready = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        // Warnings of a server that is told to stop right after its start are of no interest, nor is that it is asked.
        if (ready && !stopping && !chunk.toString().startsWith('Debugger ')) process.stderr.write(chunk);
        if (ready) return;
        said += chunk.toString();
        const address = /Lintel is ready at (\S+)/.exec(said)?.[1];
        if (address === undefined) return;
        ready = true;
        resolve({ url: address, inspector: /ws:\S+/.exec(said)?.[0] ?? '' });
      });
    }
    child.once('exit', (code) => reject(new Error(`The server ended (${code}):\n${said}`)));
  });
  return { url, pid: child.pid ?? 0, startMs: performance.now() - start, inspector, stop };
}
