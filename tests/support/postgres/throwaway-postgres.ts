import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPidFile } from '#db/embedded/postmaster.ts';
import { type EmbeddedPostgres, startEmbedded } from '#db/embedded/start.ts';

const TIDY_UP = fileURLToPath(new URL('end-postgres.mjs', import.meta.url));

/** A Postgres in a temporary folder. Other embedded servers outlive their owner; this one ends even if its owner is killed. */
export type ThrowawayPostgres = {
  readonly folder: string;
  /** The running server; after `crash` it is a new one. */
  now(): EmbeddedPostgres;
  /** Ends the server as a power cut would, without a shutdown, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

/** @param options.sync whether a commit waits for the disk, as in production */
export async function startThrowawayPostgres(options: { sync: boolean }): Promise<ThrowawayPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-throwaway-'));
  const tidyUp = spawn(process.execPath, [TIDY_UP, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  tidyUp.unref();
  let server = await startEmbedded(folder, options);
  return {
    folder,
    now: () => server,
    async crash() {
      const { pid } = readPidFile(join(folder, 'postgres', 'pg')) ?? {};
      if (pid !== undefined) process.kill(pid, 'SIGQUIT');
      await server.stop();
      server = await startEmbedded(folder, options);
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
      tidyUp.stdin.end();
    },
  };
}
