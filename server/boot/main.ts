import { join } from 'node:path';
import { EmbeddedPostgresError } from '#db/embedded/embedded-error.ts';
import { type EmbeddedPostgres, startEmbedded } from '#db/embedded/start.ts';
import { migrate } from '#db/migrate.ts';
import { OlderDatabaseError } from '#db/run-migrations.ts';
import { type Env, EnvError, readEnv } from '../kernel/env.ts';
import { EXIT_CONFIGURATION, StartRefused } from '../kernel/start-refused.ts';
import { firstRun } from './first-run.ts';
import { rootWarning } from './root-warning.ts';
import { type RunningServer, startServer } from './start-server.ts';

const STOP_WITHIN_MS = 30_000;

/** A promise, because a signal may come while it starts. */
let embedded: Promise<EmbeddedPostgres> | undefined;
let server: RunningServer | undefined;
let stopping = false;

let firstSignalAt: number | undefined;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    firstSignalAt ??= Date.now();
    if (!stopping) void stop(0);
    // One Ctrl-C or one closed terminal may arrive several times, through npm and its shell; a second one means now.
    else if (Date.now() - firstSignalAt > 1_000) process.exit(1);
  });
}

try {
  const env = readEnv(process.env);
  const warning = rootWarning();
  if (warning !== undefined) console.error(warning);
  const databaseUrl = await openDatabase(env);
  server = await startServer(env, databaseUrl, { positionFile: join(env.dataDir, 'live-position.json') });
  const lines = await firstRun(server.services, env.publicUrl ?? server.url);
  console.log([`Lintel is ready at ${env.publicUrl ?? server.url}`, ...lines].join('\n'));
} catch (error) {
  if (!stopping) await fail(error);
}

/** @returns the address for everyday work, with the schema up to date */
async function openDatabase(env: Env): Promise<string> {
  if (env.databaseUrl !== undefined) {
    const owner = env.migrationDatabaseUrl;
    try {
      await migrate(owner ?? env.databaseUrl, owner && new URL(env.databaseUrl).username);
    } catch (error) {
      const name = owner === undefined ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
      throw new StartRefused(1, `The database of ${name} cannot be used: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    return env.databaseUrl;
  }
  embedded = startEmbedded(env.dataDir);
  const { ownerUrl, appUrl } = await embedded;
  try {
    await migrate(ownerUrl, new URL(appUrl).username);
  } catch (error) {
    if (!(error instanceof OlderDatabaseError)) throw error;
    throw new StartRefused(1, `The database in ${env.dataDir} cannot be used: ${error.message}`, {
      cause: error,
    });
  }
  return appUrl;
}

/** What lies at the bottom of it: the query builder wraps what the database said. */
function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return reason instanceof Error ? reason.message : String(reason);
}

async function fail(error: unknown): Promise<void> {
  // These carry a sentence for the person at the terminal; anything else is a bug and shows itself whole.
  const known =
    error instanceof EnvError || error instanceof StartRefused || error instanceof EmbeddedPostgresError;
  console.error(known ? error.message : error);
  if (error instanceof EnvError) return stop(EXIT_CONFIGURATION);
  await stop(error instanceof StartRefused ? error.exitCode : 1);
}

/** Answers what is under way, closes everything, and stops the database if it is ours. */
async function stop(code: number): Promise<void> {
  stopping = true;
  setTimeout(() => process.exit(code === 0 ? 1 : code), STOP_WITHIN_MS).unref();
  try {
    await server?.stop();
  } catch (error) {
    console.error(error);
  }
  try {
    await (await embedded)?.stop();
  } catch {
    // It never started, which has been said.
  }
  process.exit(code);
}
