import { join } from 'node:path';
import { EmbeddedPostgresError } from '#db/embedded/embedded-error.ts';
import { type EmbeddedPostgres, startEmbedded } from '#db/embedded/start.ts';
import { loginOf, migrate } from '#db/migrate.ts';
import { OlderDatabaseError } from '#db/run-migrations.ts';
import { assertBackupSettings } from '../features/backups/backup-settings.ts';
import { removeLeftScratch } from '../features/backups/verify-backup.ts';
import { type Env, EnvError, readEnv } from '../kernel/env.ts';
import { EXIT_CONFIGURATION, StartRefused } from '../kernel/start-refused.ts';
import { firstRun } from './first-run.ts';
import { assertOwnConnections } from './own-connections.ts';
import { rootWarning } from './root-warning.ts';
import { type RunningServer, startServer } from './start-server.ts';

const STOP_WITHIN_MS = 30_000;

/** A promise, because a signal may arrive during the start. */
let embedded: Promise<EmbeddedPostgres> | undefined;
let server: RunningServer | undefined;
let stopping = false;

let firstSignalAt: number | undefined;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    firstSignalAt ??= Date.now();
    if (!stopping) void stop(0);
    // npm and its shell may deliver one Ctrl-C or closed terminal several times. A signal more than a second later ends the
    // process at once.
    else if (Date.now() - firstSignalAt > 1_000) process.exit(1);
  });
}

// An uncaught error leaves its part of the process in an unknown state, so the process stops in order and the supervisor
// restarts it. A closed terminal or a full disk under the log is no reason to end.
process.on('uncaughtException', (error) => {
  console.error(error);
  if (!stopping) void stop(1);
});
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const env = readEnv(process.env);
  await assertBackupSettings(env);
  const warning = rootWarning();
  if (warning !== undefined) console.error(warning);
  const databaseUrl = await openDatabase(env);
  server = await startServer(env, databaseUrl, { positionFile: join(env.dataDir, 'live-position.json') });
  removeLeftScratch(databaseUrl, env.dataDir).catch((error: unknown) => console.error(error));
  const lines = await firstRun(server.services, env.publicUrl ?? server.url);
  console.log([`Lintel is ready at ${env.publicUrl ?? server.url}`, ...lines].join('\n'));
  // For the supervisor of `npm start`.
  process.send?.('ready');
} catch (error) {
  if (!stopping) await fail(error);
}

/**
 * Migrates the database.
 * @returns the URL of the everyday login
 */
async function openDatabase(env: Env): Promise<string> {
  if (env.databaseUrl !== undefined) {
    const owner = env.migrationDatabaseUrl;
    let name = 'DATABASE_URL';
    try {
      await assertOwnConnections(env.databaseUrl);
      if (owner !== undefined) name = 'MIGRATION_DATABASE_URL';
      await migrate(owner ?? env.databaseUrl, owner && loginOf(env.databaseUrl));
    } catch (error) {
      if (error instanceof StartRefused) throw error;
      throw new StartRefused(1, `The database of ${name} cannot be used: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    return env.databaseUrl;
  }
  embedded = startEmbedded(env.dataDir);
  const { ownerUrl, appUrl } = await embedded;
  try {
    await migrate(ownerUrl, loginOf(appUrl));
  } catch (error) {
    if (!(error instanceof OlderDatabaseError)) throw error;
    throw new StartRefused(1, `The database in ${env.dataDir} cannot be used: ${error.message}`, {
      cause: error,
    });
  }
  return appUrl;
}

/** The innermost cause: the query builder wraps the database's error. */
function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return reason instanceof Error ? reason.message : String(reason);
}

async function fail(error: unknown): Promise<void> {
  // These errors carry a message for the operator; any other is a bug and is printed with its stack.
  const known =
    error instanceof EnvError || error instanceof StartRefused || error instanceof EmbeddedPostgresError;
  console.error(known ? error.message : error);
  if (error instanceof EnvError) return stop(EXIT_CONFIGURATION);
  await stop(error instanceof StartRefused ? error.exitCode : 1);
}

/** Finishes requests in progress, closes everything, and stops an embedded database. */
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
    // The start failed, which has been reported already.
  }
  process.exit(code);
}
