import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { z } from 'zod';
import { type Binaries, findBinaries } from './binaries.ts';
import {
  APP,
  clusterPath,
  DATABASE,
  ensureCluster,
  type Logins,
  OWNER,
  readLogins,
  writeSecret,
} from './cluster.ts';
import { EmbeddedPostgresError, USE_DATABASE_URL } from './embedded-error.ts';
import { lockFolder } from './folder-lock.ts';
import { keepRunning } from './keep-running.ts';
import { findRunningPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { chooseRunAs } from './run-as.ts';

const addressesSchema = z.object({ ownerUrl: z.string(), appUrl: z.string() });
/** The login of `ownerUrl` may change the schema; that of `appUrl` may not, and is for everyday work. */
export type Addresses = z.infer<typeof addressesSchema>;

export type EmbeddedPostgres = Addresses & {
  /** Whether the server was still running, because its last owner was killed. */
  adopted: boolean;
  /** Stops the server. Only the owner has this function; processes that only connect do not stop the server. */
  stop(): Promise<void>;
};

/**
 * Starts the Postgres that comes with Lintel, with its data in `dataDir`, and makes this process its owner. If Postgres
 * ends unexpectedly, it is restarted at the same address.
 * @param options.sync false is faster, but a crash of the machine may lose data; for tests only
 * @throws EmbeddedPostgresError with a message for the operator
 */
export async function startEmbedded(
  dataDir: string,
  options: { sync?: boolean } = {},
): Promise<EmbeddedPostgres> {
  const sync = options.sync ?? true;
  const binaries = findBinaries();
  const folder = makeFolder(dataDir);
  const unlock = await lockFolder(folder);
  try {
    const { running, logins, adopted, who } = await run(folder, binaries, sync);
    const addresses = addressesOf(running.port, logins);
    const published = join(folder, 'addresses.json');
    writeSecret(published, addresses);
    const cluster = clusterPath(folder);
    const again = () =>
      startPostmaster(binaries, who, cluster, logPath(folder), { sync, port: running.port });
    const watched = keepRunning(running, again);
    async function stop(): Promise<void> {
      const { pid } = await watched.stop();
      await stopPostmaster(binaries, who, cluster, pid);
      rmSync(published, { force: true });
      unlock();
    }
    let stopping: Promise<void> | undefined;
    return {
      ...addresses,
      adopted,
      stop() {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Returns the URLs of a database that another process owns and runs; undefined if none answers. */
export async function findRunning(dataDir: string): Promise<Addresses | undefined> {
  let addresses: Addresses;
  try {
    const text = readFileSync(join(folderIn(dataDir), 'addresses.json'), 'utf8');
    addresses = addressesSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // Never started, stopped, or another user's.
  }
  return (await problemWith(addresses.ownerUrl)) === undefined ? addresses : undefined;
}

async function run(folder: string, binaries: Binaries, sync: boolean) {
  const cluster = clusterPath(folder);
  const survivor = await findRunningPostmaster(cluster);
  const who = chooseRunAs(binaries.postgres, folder);
  if (survivor === undefined) {
    const logins = await ensureCluster(folder, binaries, who, sync);
    const running = await startPostmaster(binaries, who, cluster, logPath(folder), { sync });
    return { running, logins, adopted: false, who };
  }
  const logins = readLogins(folder);
  // Only the server of this folder knows these passwords.
  const problem = await problemWith(addressesOf(survivor.port, logins).ownerUrl);
  if (problem !== undefined) {
    throw new EmbeddedPostgresError(
      `A Postgres (process ${survivor.pid}) already runs on ${cluster} but does not answer: ${problem}. ` +
        'Stop it, then start again.',
    );
  }
  return { running: survivor, logins, adopted: true, who };
}

async function problemWith(url: string): Promise<string | undefined> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, idle_timeout: 1, onnotice: () => undefined });
  try {
    await sql`select 1`;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function addressesOf(port: number, logins: Logins): Addresses {
  const at = `127.0.0.1:${port}/${DATABASE}`;
  return {
    ownerUrl: `postgres://${OWNER}:${logins.owner}@${at}`,
    appUrl: `postgres://${APP}:${logins.app}@${at}`,
  };
}

function logPath(folder: string): string {
  return join(folder, 'postgres.log');
}

function makeFolder(dataDir: string): string {
  const folder = folderIn(dataDir);
  try {
    // Other users may enter the folder but not list it, because root runs Postgres as another user. Secret files have a
    // stricter mode.
    if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o711);
    const probe = join(folder, `.writable-${process.pid}`);
    mkdirSync(probe);
    rmSync(probe, { recursive: true });
    return folder;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The database's folder ${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}. ` +
        `Choose another one with DATA_DIR.\n${USE_DATABASE_URL}`,
    );
  }
}

function folderIn(dataDir: string): string {
  return resolve(dataDir, 'postgres');
}
