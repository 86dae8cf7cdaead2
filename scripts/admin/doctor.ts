import { statfs } from 'node:fs/promises';
import { OLDEST_POSTGRES } from '#db/oldest-postgres.ts';
import { countAdministrators } from '#server/access/people.ts';
import { isReachable } from '#server/adapters/network/loopback.ts';
import { hasNoPeople } from '#server/features/users/users.queries.ts';
import type { Env } from '#server/kernel/env.ts';
import { knownPasswordStands } from '#server/sample-data/sample-accounts.ts';
import { backups } from './doctor-backups.ts';
import { files } from './doctor-files.ts';
import { lastRuns } from './doctor-last-runs.ts';
import { pulse } from './doctor-pulse.ts';
import type { Opened } from './installation.ts';

export type Finding = { good: boolean | 'note'; text: string };

const FREE_BYTES_MIN = 2 * 1024 ** 3;
/** Committed changes wait milliseconds for their position. A longer wait than this means that no process sequences them. */
const WAITING_MAX_SECONDS = 10;

/**
 * Reports the state of the installation.
 * @returns false if anything is wrong
 */
export async function doctor(installation: Opened): Promise<boolean> {
  const { env, from } = installation;
  console.log(`Configuration\n${configuration(env).join('\n')}\n`);
  const findings = [
    ...(await machine(env)),
    { good: 'note' as const, text: WHERE[from] },
    ...(await database(installation)),
    ...(await people(installation)),
    ...(await files(installation)),
    ...(await lastRuns(installation)),
    ...(await pulse(installation)),
    ...(await backups(installation)),
  ];
  for (const { good, text } of findings) {
    console.log(`${good === 'note' ? '   ' : good ? 'ok ' : '!! '} ${text}`);
  }
  return findings.every(({ good }) => good !== false);
}

const WHERE: Readonly<Record<Opened['from'], string>> = {
  given: 'The database is the one of DATABASE_URL.',
  running: 'A server is running; this is its own Postgres.',
  started: 'No server is running; its own Postgres was started for this report.',
};

function configuration(env: Env): string[] {
  return Object.entries(env).map(([name, value]) => {
    const secret =
      (/url$|key$|token$/i.test(name) && name !== 'publicUrl') || /^(s3|s3Access|mail)$/.test(name);
    return `    ${name}: ${secret ? 'set (not shown)' : String(value)}`;
  });
}

async function machine(env: Env): Promise<Finding[]> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const findings: Finding[] = [
    {
      good: major > 20 || (major === 20 && minor >= 19),
      text: `Node ${process.versions.node} (20.19 or later)`,
    },
  ];
  if (env.databaseUrl === undefined) {
    const { bavail, bsize } = await statfs(env.dataDir);
    const free = bavail * bsize;
    const gigabytes = (free / 1024 ** 3).toFixed(1);
    findings.push({
      good: free >= FREE_BYTES_MIN,
      text: `${gigabytes} GB free in ${env.dataDir} (2 or more)`,
    });
  }
  if (isReachable(env) && env.publicUrl?.startsWith('https:') !== true) {
    findings.push({
      good: false,
      text: 'Other machines reach it over plain http: passwords can be read on the way.',
    });
  }
  return findings;
}

async function database({ sql }: Opened): Promise<Finding[]> {
  const [server] = await sql<
    { version: string; number: number; fsync: string; commit: string; pages: string; skew: number }[]
  >`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('full_page_writes') as pages,
      abs(extract(epoch from clock_timestamp()) - ${Date.now() / 1_000}::float8)::float8 as skew`;
  if (server === undefined) throw new Error('the database answered with nothing');
  const findings: Finding[] = [
    {
      good: server.number >= OLDEST_POSTGRES.number,
      text: `Postgres ${server.version} (${OLDEST_POSTGRES.name} or later)`,
    },
    {
      good: server.fsync === 'on' && server.commit !== 'off' && server.pages === 'on',
      text: `acknowledged changes are on disk: fsync ${server.fsync}, synchronous_commit ${server.commit}, full_page_writes ${server.pages}`,
    },
    {
      good: server.skew < 5,
      text: `its clock and this machine's differ by ${server.skew.toFixed(1)} s (beyond 60 timed jobs wait)`,
    },
  ];
  const [schema] = await sql<{ there: boolean }[]>`select to_regclass('public.events') is not null as there`;
  if (schema?.there !== true) {
    return [...findings, { good: 'note', text: 'There are no tables yet: the first start makes them.' }];
  }
  return [...findings, ...(await protection(sql)), ...(await record(sql))];
}

async function protection(sql: Opened['sql']): Promise<Finding[]> {
  const [rights] = await sql<{ login: string; writes: boolean; owns: boolean; triggers: number }[]>`
    select current_user as login,
      has_table_privilege('events', 'insert, update, delete, truncate') as writes,
      pg_has_role(current_user, (select relowner from pg_class where oid = 'events'::regclass), 'usage') as owns,
      (select count(*)::int from pg_trigger where tgrelid = 'events'::regclass and not tgisinternal and tgenabled <> 'D')
        as triggers`;
  if (rights === undefined) throw new Error('the database answered with nothing');
  const { login, writes, owns, triggers } = rights;
  return [
    { good: triggers > 0, text: 'a trigger refuses changes to the event log' },
    writes || owns
      ? {
          good: 'note',
          text: `Only that trigger protects it: the login ${login} may write to it. MIGRATION_DATABASE_URL with a separate login protects it a second time.`,
        }
      : { good: true, text: `the login ${login} has no right to write to it either` },
  ];
}

async function record(sql: Opened['sql']): Promise<Finding[]> {
  const [head] = await sql<{ epoch: string; g: string; last: string | null; hash: string | null }[]>`
    select epoch::text, g::text,
      (select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') from events order by g desc limit 1) as last,
      (select encode(hash, 'hex') from events order by g desc limit 1) as hash
    from stream_head`;
  const [waiting] = await sql<{ n: number; seconds: number }[]>`
    select count(*)::int as n, coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds from outbox`;
  if (head === undefined || waiting === undefined) {
    return [{ good: false, text: 'the event log has no head row: the migrations did not finish' }];
  }
  const late = waiting.n > 0 && waiting.seconds > WAITING_MAX_SECONDS;
  return [
    { good: 'note', text: `${head.g} events, epoch ${head.epoch}` },
    ...(head.hash === null
      ? []
      : [{ good: 'note' as const, text: `the last event at ${head.last} UTC, hash ${head.hash}` }]),
    { good: !late, text: `${waiting.n} changes wait for their position` },
  ];
}

async function people({ stores, sql, env }: Opened): Promise<Finding[]> {
  const [schema] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.profiles') is not null as there`;
  if (schema?.there !== true) return [];
  if (await hasNoPeople(stores.db)) {
    return [
      { good: 'note', text: 'There are no people yet: the server prints a set-up link when it starts.' },
    ];
  }
  const administrators = await countAdministrators(stores.db);
  const known = await knownPasswordStands(stores);
  return [
    {
      good: administrators > 0,
      text: `${administrators} ${administrators === 1 ? 'administrator' : 'administrators'}`,
    },
    ...(known
      ? [
          {
            good: !isReachable(env),
            text: 'sample accounts with the documented password: for this machine only',
          },
        ]
      : []),
  ];
}
