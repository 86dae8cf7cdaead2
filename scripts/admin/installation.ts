import { connect } from '#db/client.ts';
import { findRunning, startEmbedded } from '#db/embedded/start.ts';
import { loginOf, migrate } from '#db/migrate.ts';
import { lifetimeOf } from '#server/access/session-lifetime.ts';
import { createPasswords } from '#server/adapters/auth/passwords.ts';
import { createSessions } from '#server/adapters/auth/sessions.ts';
import { createStorage, type FileStores } from '#server/adapters/storage/index.ts';
import { createPartLedger } from '#server/adapters/storage/part-ledger.ts';
import type { Services } from '#server/kernel/context.ts';
import type { Env } from '#server/kernel/env.ts';
import { createServerClock, systemSources } from '#server/kernel/server-clock.ts';
import { ensureReferenceData } from '#server/kernel/settings.ts';
import { needsSecondFactor } from '#server/kernel/sign-in/sign-in.ts';
import { readSignInFile } from '#server/kernel/sign-in/sign-in-file.ts';
import { createSequencer } from '#server/live/sequencer.ts';

export type Opened = {
  env: Env;
  /** The origin of the database: given by a URL, run by a running server, or started for this command. */
  from: 'given' | 'running' | 'started';
  databaseUrl: string;
  /** The login that owns the tables. */
  ownerUrl: string;
  /** The login of the server; undefined if the server runs with the owner's login. */
  appRole: string | undefined;
  fileStores: FileStores;
  stores: Pick<Services, 'db' | 'passwords' | 'sessions' | 'clock'>;
  sql: ReturnType<typeof connect>['sql'];
  /** Sequences the events of the command, so that open windows receive them. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

/** Opens the installation: connects to its database if that is given or running, or starts the embedded database. */
export async function openInstallation(env: Env, options: { migrates: boolean }): Promise<Opened> {
  const place = await locate(env);
  const appRole = place.ownerUrl === place.appUrl ? undefined : loginOf(place.appUrl);
  try {
    if (options.migrates && place.from !== 'running') await migrate(place.ownerUrl, appRole);
    const { db, sql, close } = connect(place.appUrl, { max: 3, name: 'lintel admin' });
    // Nothing is logged, because `doctor` reports clocks that differ.
    const silent = { error: () => undefined, warn: () => undefined };
    const clock = createServerClock(systemSources(db), silent);
    await clock.start();
    if (options.migrates) await ensureReferenceData(db);
    return {
      env,
      from: place.from,
      databaseUrl: place.appUrl,
      ownerUrl: place.ownerUrl,
      appRole,
      fileStores: createStorage(env, createPartLedger(db), undefined, clock.now).stores,
      sql,
      stores: {
        db,
        passwords: createPasswords(),
        sessions: createSessions(db, clock, lifetimeOf, (role) =>
          needsSecondFactor({ settings: readSignInFile(env.signInFile) }, role),
        ),
        clock,
      },
      async settle() {
        const sequencer = createSequencer({ sql, log: { warn: (line: unknown) => console.error(line) } });
        await sequencer.settled();
        await sequencer.stop();
      },
      async close() {
        clock.stop();
        await close();
        await place.stop();
      },
    };
  } catch (error) {
    await place.stop();
    throw error;
  }
}

async function locate(env: Env) {
  const nothing = async () => {};
  if (env.databaseUrl !== undefined) {
    const ownerUrl = env.migrationDatabaseUrl ?? env.databaseUrl;
    return { from: 'given' as const, appUrl: env.databaseUrl, ownerUrl, stop: nothing };
  }
  const running = await findRunning(env.dataDir);
  if (running !== undefined) return { ...running, from: 'running' as const, stop: nothing };
  const started = await startEmbedded(env.dataDir);
  return { ...started, from: 'started' as const, stop: () => started.stop() };
}
