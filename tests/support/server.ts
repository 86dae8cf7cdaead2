import type { Env } from '#server/env.ts';
import { type RunningServer, type StartOptions, startServer } from '#server/start-server.ts';
import type { TestDatabase } from './database.ts';

export type TestServer = RunningServer & {
  /** The lines that the server logged, as JSON. */
  logged: string[];
};

/** A configuration as `readEnv` gives it, on any free port. */
export const testEnv: Env = {
  port: 0,
  host: '127.0.0.1',
  dataDir: '/nonexistent',
  sampleData: false,
  logLevel: 'warn',
  allowInsecureHttp: false,
  logsUnderRebuild: [],
  optionalChecks: [],
  demo: false,
};

/** A whole server in this process, on a database of the test's own, as the restricted login. */
export async function startTestServer(
  database: Pick<TestDatabase, 'appUrl'>,
  overrides: StartOptions & { env?: Partial<Env> } = {},
): Promise<TestServer> {
  const { env, ...options } = overrides;
  const logged: string[] = [];
  const logStream = { write: (line: string) => void logged.push(line) };
  const server = await startServer({ ...testEnv, ...env }, database.appUrl, { logStream, ...options });
  return { ...server, logged };
}
