import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, USE_DATABASE_URL } from './embedded-error.ts';
import { fileOwner, type RunAs, runAs } from './run-as.ts';

export const OWNER = 'lintel_owner';
export const APP = 'lintel_app';
export const DATABASE = 'lintel';

const loginsSchema = z.object({ postgres: z.string(), owner: z.string(), app: z.string() });
export type Logins = z.infer<typeof loginsSchema>;

/** Allows access by password over loopback only. */
const HBA = ['# Written by Lintel.', 'host all all 127.0.0.1/32 scram-sha-256', ''].join('\n');

/** The folder of the database's own files, created by {@link ensureCluster}. */
export function clusterPath(folder: string): string {
  return join(folder, 'pg');
}

/** Creates the database's files if they do not exist yet, and returns its passwords. */
export async function ensureCluster(
  folder: string,
  binaries: Binaries,
  who: RunAs,
  sync: boolean,
): Promise<Logins> {
  const cluster = clusterPath(folder);
  for (const name of readdirSync(folder)) {
    if (name.startsWith('pg.init')) rmSync(join(folder, name), { recursive: true, force: true });
  }
  if (!existsSync(cluster)) return createCluster(folder, binaries, who, sync);

  await checkVersion(cluster, binaries, who);
  giveTo(who, cluster);
  return readLogins(folder);
}

/**
 * Creates the files in a temporary folder and renames it when complete, so that a killed first start leaves no incomplete
 * database. The folder's name is new each time, because initdb of a killed start may still be writing.
 */
async function createCluster(folder: string, binaries: Binaries, who: RunAs, sync: boolean): Promise<Logins> {
  const making = join(folder, `pg.init-${randomBytes(4).toString('hex')}`);
  mkdirSync(making, { mode: 0o700 });
  giveTo(who, making);

  const initdb = await runAs(who, binaries.initdb, [
    ...['-D', making, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-instructions'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(sync ? [] : ['--no-sync']),
  ]);
  if (initdb.code !== 0) throw failedTo('be set up', folder, initdb.output);

  const logins: Logins = { postgres: secret(), owner: secret(), app: secret() };
  // Single-user mode accepts no connections, so no other program can connect while "trust" is set.
  const single = await runAs(
    who,
    binaries.postgres,
    ['--single', '-D', making, ...(sync ? [] : ['-c', 'fsync=off']), 'postgres'],
    // One statement per line. The secrets are hexadecimal and need no quoting.
    [
      `ALTER ROLE postgres PASSWORD '${logins.postgres}'`,
      `CREATE ROLE ${OWNER} LOGIN CREATEDB PASSWORD '${logins.owner}'`,
      `CREATE ROLE ${APP} LOGIN PASSWORD '${logins.app}'`,
      // The owner may terminate the app's connections, which dropping a database requires.
      `GRANT ${APP} TO ${OWNER}`,
      `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
      '',
    ].join('\n'),
  );
  if (single.code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(single.output)) {
    throw failedTo('be set up', folder, single.output);
  }
  writeFileSync(join(making, 'pg_hba.conf'), HBA);
  writeSecret(join(folder, 'logins.json'), logins);
  renameSync(making, clusterPath(folder));
  return logins;
}

async function checkVersion(cluster: string, binaries: Binaries, who: RunAs): Promise<void> {
  const onDisk = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const { output } = await runAs(who, binaries.postgres, ['--version']);
  const installed = /(\d+)\.\d+/.exec(output)?.[1];
  if (installed !== undefined && installed !== onDisk) {
    throw new EmbeddedPostgresError(
      `The data in ${cluster} was written by Postgres ${onDisk}, and version ${installed} is installed. ` +
        `Start the Lintel that wrote it and take a backup, then restore that here.\n${USE_DATABASE_URL}`,
    );
  }
}

/** Reads the passwords of the database in `folder`. They were made when the database was created. */
export function readLogins(folder: string): Logins {
  const path = join(folder, 'logins.json');
  try {
    return loginsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(
      `The passwords of the database in ${folder} cannot be read from ${path} (${why}). ` +
        'They belong to these data: restore that file, or start as the user who made it.',
    );
  }
}

/** Writes a file readable by its owner only, completely or not at all. */
export function writeSecret(path: string, content: object): void {
  const making = `${path}.new`;
  writeFileSync(making, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(making, 0o600);
  renameSync(making, path);
}

/** Gives the files to the user that Postgres runs as. Only root can do this: for others, the error names the owner. */
function giveTo(who: RunAs, path: string): void {
  const owner = fileOwner(who);
  if (owner === undefined) return;
  const has = statSync(path).uid;
  if (has === owner.uid) return;
  if (process.getuid?.() !== 0) {
    throw new EmbeddedPostgresError(
      `The database in ${path} belongs to another user (user id ${has}). ` +
        'Start Lintel as that user, or choose another folder with DATA_DIR.',
    );
  }
  // The top folder last: while it has its old owner, an interrupted change is repeated.
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(path, entry), owner.uid, owner.gid);
  }
  chownSync(path, owner.uid, owner.gid);
}

/** The error for a failed program of Postgres, with its last output. */
export function failedTo(what: string, folder: string, output: string): EmbeddedPostgresError {
  const last = output.trim().split('\n').slice(-6);
  const said = last.map((line) => `  ${line}`).join('\n');
  return new EmbeddedPostgresError(
    `The embedded Postgres in ${folder} could not ${what}. It said:\n${said}\n${USE_DATABASE_URL}`,
  );
}

function secret(): string {
  return randomBytes(24).toString('hex');
}
