import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, type StartOptions, startServer } from '#server/boot/start-server.ts';
import type { Env } from '#server/kernel/env.ts';
import type { TestDatabase } from '../postgres/database.ts';
import { noteServer } from './sequenced.ts';

export type TestServer = RunningServer & {
  /** The lines that the server logged, as JSON. */
  logged: string[];
  /** The server's clock minus this machine's, in milliseconds, at the start of the server. */
  clockOffsetMs: number;
};

/** A configuration as `readEnv` returns it, on any free port. */
export const testEnv: Omit<Env, 'dataDir'> = {
  port: 0,
  host: '127.0.0.1',
  trustedProxies: [],
  sampleData: false,
  logLevel: 'warn',
  allowInsecureHttp: false,
  logsUnderRebuild: [],
  optionalChecks: [],
  demo: false,
  fileStore: 'disk',
  backupAt: '01:30',
  webhookNetworks: [],
};

/** Starts a whole server in this process, on the test's own database and folder, with the restricted login. */
export async function startTestServer(
  database: Pick<TestDatabase, 'appUrl'>,
  overrides: StartOptions & { env?: Partial<Env> } = {},
): Promise<TestServer> {
  const { env, ...options } = overrides;
  const clockOffsetMs = options.clock === undefined ? 0 : options.clock.now().getTime() - Date.now();
  const logged: string[] = [];
  const logStream = { write: (line: string) => void logged.push(line) };
  const ownFolder = env?.dataDir === undefined ? await mkdtemp(join(tmpdir(), 'lintel-data-')) : undefined;
  const settings = { ...testEnv, dataDir: ownFolder ?? '', ...env };
  const server = await startServer(settings, database.appUrl, { logStream, ...options });
  const forget = noteServer(server.url, server.services.db);
  return {
    ...server,
    logged,
    clockOffsetMs,
    async stop() {
      forget();
      await server.stop();
      if (ownFolder !== undefined) await rm(ownFolder, { recursive: true, force: true });
    },
  };
}
