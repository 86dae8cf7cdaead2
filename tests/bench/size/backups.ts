import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Sql } from 'postgres';
import { uuidv7 } from '#shared/ids.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createManyEvents } from '#tests/support/rows/many-events.ts';
import { startChild } from '#tests/support/server/child.ts';
import { type Figure, round } from '../figure.ts';
import type { BackupMakerHandlers } from '../processes/backup-maker.ts';
import type { Setting } from '../setting.ts';

const EVENTS = 1_000_000;
const FILES = 20;
const FILE_BYTES = 1024 ** 3;
/** One per cent more events, and one per cent more bytes of files. */
const CHANGED_EVENTS = EVENTS / 100;
const CHANGED_BYTES = Math.round((FILES * FILE_BYTES) / 100);

/**
 * A database that the machine's own `pg_dump` can read, for the reference: empty, with a login that may make tables. Not
 * the database of the bench, because an older `pg_dump` refuses a newer server.
 */
const REFERENCE_URL = process.env['BENCH_REFERENCE_URL'];

/**
 * Backup and restore of a million events and 20 GiB of (sparse) files, and a second backup after one per cent of change,
 * beside `pg_dump`, `pg_restore` and `rsync` of the same rows and files. Takes 60 GiB of the disk at most.
 */
export async function backups(setting: Setting): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-bench-backups-'));
  setting.after(() => rm(folder, { recursive: true, force: true }));
  const { privateKey } = generateKeyPairSync('ed25519');
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const [dataDir, to, plain] = ['data', 'backups', 'plain'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(plain);
  const database = await setting.database('backups');
  setting.log('filling');
  await withLogin(database.ownerUrl, async (sql) => {
    await createManyEvents(sql, { events: EVENTS, people: 50, buildings: 50, now: new Date() });
    for (let n = 0; n < FILES; n += 1) await addFile(sql, dataDir, FILE_BYTES);
  });
  const reference = await referenceOf(database.ownerUrl);
  setting.log(reference === undefined ? 'no reference: BENCH_REFERENCE_URL is not set' : 'filled');

  const maker = startChild<BackupMakerHandlers>(new URL('../processes/backup-maker.ts', import.meta.url));
  setting.after(() => maker.kill());
  const input = { databaseUrl: database.appUrl, dataDir, to, signingKey };
  const make = () => seconds(() => maker.ask('make', input));
  const files = join(dataDir, 'files');
  const dump = () => reference && seconds(() => reference.dump(join(plain, 'dump')));
  const copy = () => reference && seconds(() => run('rsync', ['-a', `${files}/`, join(plain, 'files')]));

  const first = await make();
  setting.log(`backup: ${round(first)} s`);
  const [dumped, copied] = [await dump(), await copy()];
  setting.log(`pg_dump: ${say(dumped)}, rsync: ${say(copied)}`);

  await withLogin(database.ownerUrl, async (sql) => {
    await addFile(sql, dataDir, CHANGED_BYTES);
    await addEvents(sql);
  });
  const second = await make();
  const [dumpedAgain, copiedAgain] = [await dump(), await copy()];
  setting.log(`again: ${round(second)} s; pg_dump: ${say(dumpedAgain)}, rsync: ${say(copiedAgain)}`);

  // The folders are removed after their measurements, to make room for the restored files.
  const restoredPlain = reference && (await seconds(() => reference.restore(join(plain, 'dump'))));
  await rm(files, { recursive: true });
  const copiedBack =
    reference && (await seconds(() => run('rsync', ['-a', `${join(plain, 'files')}/`, files])));
  await rm(files, { recursive: true, force: true });
  await rm(plain, { recursive: true });
  const target = await setting.database('backups_restored');
  const start = performance.now();
  const { rows, bytes } = await maker.ask('restore', { ownerUrl: target.ownerUrl, dataDir, from: to });
  const restored = (performance.now() - start) / 1_000;
  const what = `${rows.toLocaleString('en')} rows, ${round(bytes / 1024 ** 3)} GiB of files`;
  const figure = (
    name: string,
    ours: number,
    theirs: [string, number | undefined][],
    note?: string,
  ): Figure => {
    const sum = theirs.reduce((total, [, one]) => total + (one ?? Number.NaN), 0);
    return {
      name: `backups: ${name}`,
      measured: `${round(ours)} s`,
      reference: theirs.map(([by, one]) => `${by} ${say(one)}`).join(', '),
      value: ours / sum,
      unit: '× the reference',
      note,
    };
  };
  return [
    figure(
      'the first',
      first,
      [
        ['pg_dump', dumped],
        ['rsync', copied],
      ],
      `${what}; with hashes of all that is written`,
    ),
    figure('after 1 % of change', second, [
      ['pg_dump', dumpedAgain],
      ['rsync', copiedAgain],
    ]),
    figure(
      'a restore',
      restored,
      [
        ['pg_restore', restoredPlain],
        ['rsync', copiedBack],
      ],
      'everything is read and compared before it is put back',
    ),
  ];
}

/** Adds a sparse file with its row. */
async function addFile(sql: Sql, dataDir: string, bytes: number): Promise<void> {
  const id = uuidv7();
  const key = `documents/${id}`;
  const path = join(dataDir, 'files', ...key.split('/'));
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'w');
  await file.write(id);
  await file.truncate(bytes);
  await file.close();
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 ** 2 }), hash);
  const now = new Date().toISOString();
  await sql`
    insert into stored_files (id, purpose, state, store, key, bytes, sha256, content_type, uploaded_by, announced_at, received_at)
    select ${id}, 'document', 'stored', 'disk', ${key}, ${bytes}, ${hash.digest('hex')}, 'application/octet-stream', p.id, ${now}, ${now}
    from profiles p limit 1`;
}

/** Adds events like the last ones. */
async function addEvents(sql: Sql): Promise<void> {
  await sql`
    insert into events (g, stream, seq, outbox_id, tx, at, actor, command, entity, entity_id, op, version, persons, canon, hash)
    select g + ${CHANGED_EVENTS}::int, stream, seq + ${CHANGED_EVENTS}::int, outbox_id + ${CHANGED_EVENTS}::int, tx, at, actor, command, entity,
      entity_id, op, version, persons, canon, hash
    from events where g > ${EVENTS - CHANGED_EVENTS}::int`;
  await sql`
    insert into event_payloads (g, salt, body)
    select g + ${CHANGED_EVENTS}::int, salt, body from event_payloads where g > ${EVENTS - CHANGED_EVENTS}::int`;
  await sql`update stream_head set g = ${EVENTS + CHANGED_EVENTS}`;
}

/** The same rows in plain tables that the machine's own tools can read. */
async function referenceOf(ownerUrl: string) {
  const url = REFERENCE_URL;
  if (url === undefined) return undefined;
  await withLogin(url, async (into) => {
    await into`drop table if exists events, event_payloads`;
    await into`create table events (g bigint primary key, stream text, seq bigint, outbox_id bigint, tx text, at timestamptz, actor uuid, command text,
      entity text, entity_id uuid, op text, version bigint, persons text, canon text, hash bytea)`;
    await into`create table event_payloads (g bigint primary key, salt text, body text)`;
    await withLogin(ownerUrl, async (from) => {
      const columns = {
        events:
          'g, stream, seq, outbox_id, tx::text, at, actor, command, entity, entity_id, op, version, persons::text, canon::text, hash',
        event_payloads: 'g, salt::text, body::text',
      };
      for (const [table, list] of Object.entries(columns)) {
        const rows = await from.unsafe(`copy (select ${list} from ${table}) to stdout`).readable();
        await pipeline(rows, await into.unsafe(`copy ${table} from stdin`).writable());
      }
    });
  });
  return {
    dump: (path: string) => run('pg_dump', ['-Fc', '-f', path, url]),
    async restore(path: string) {
      await withLogin(url, (sql) => sql`drop table events, event_payloads`);
      await run('pg_restore', ['-d', url, path]);
    },
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

function say(value: number | undefined): string {
  return value === undefined ? 'not measured' : `${round(value)} s`;
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`)),
    );
  });
}
