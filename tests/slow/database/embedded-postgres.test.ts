import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readPidFile } from '#db/embedded/postmaster.ts';
import { isAlive } from '#db/embedded/processes.ts';
import { type EmbeddedPostgres, findRunning, startEmbedded } from '#db/embedded/start.ts';

const asRoot = process.getuid?.() === 0;
let folder: string;
/** The servers that a test has started; stopped after it, whatever its outcome. */
let servers: EmbeddedPostgres[] = [];
const owners: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-embedded-'));
});

afterEach(async () => {
  for (const owner of owners.splice(0)) await end(owner, 'SIGKILL');
  // A server that a killed owner left behind is taken over here, and stopped.
  if (existsSync(join(folder, 'postgres', 'pg', 'postmaster.pid')) && servers.length === 0) await start();
  for (const server of servers.splice(0)) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbedded(folder, { sync: false });
  servers.push(server);
  return server;
}

async function stop(server: EmbeddedPostgres): Promise<void> {
  servers = servers.filter((other) => other !== server);
  await server.stop();
}

const reportSchema = z.union([
  z.object({ ownerUrl: z.string(), adopted: z.boolean() }),
  z.object({ refused: z.string() }),
]);

/** Starts another process on the same folder and returns its report. */
async function startOwner(
  ...mode: 'sync'[]
): Promise<{ owner: ChildProcess; report: z.infer<typeof reportSchema> }> {
  const script = fileURLToPath(new URL('../../support/postgres/embedded-owner.ts', import.meta.url));
  const owner = spawn(process.execPath, ['--import', 'tsx', script, folder, ...mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  owners.push(owner);
  const line = await new Promise<string>((resolve, reject) => {
    owner.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    owner.once('exit', () => reject(new Error('The owner ended without a word')));
  });
  return { owner, report: reportSchema.parse(JSON.parse(line)) };
}

function addressOf(report: z.infer<typeof reportSchema>): string {
  if ('refused' in report) throw new Error(report.refused);
  return report.ownerUrl;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

async function query<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Writes numbers in transactions of their own until the connection breaks. @returns the last number that was confirmed
 */
async function writeUntilItBreaks(url: string, during: () => void): Promise<number> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, max_lifetime: null, backoff: false });
  await sql`create table written (number integer primary key)`;
  let confirmed = 0;
  try {
    for (let number = 1; number <= 100_000; number += 1) {
      if (number === 50) during();
      await sql`insert into written values (${number})`;
      confirmed = number;
    }
  } catch {
    // The expected break of the connection.
  }
  await sql.end({ timeout: 0 });
  return confirmed;
}

const count = (url: string) =>
  query(url, async (sql) => Number((await sql`select count(*) as count from written`)[0]?.['count']));

function postmasterPid(): number {
  const pid = readPidFile(join(folder, 'postgres', 'pg'))?.pid;
  if (pid === undefined) throw new Error('No server is running');
  return pid;
}

describe('the embedded Postgres', () => {
  test('starts on an empty folder, stops, and still has its rows at the next start', async () => {
    const first = await start();
    await query(first.ownerUrl, (sql) => sql`create table kept as select 42 as answer`);
    const pid = postmasterPid();
    await stop(first);
    expect(isAlive(pid)).toBe(false);

    const second = await start();
    expect(second.adopted).toBe(false);
    const [row] = await query(second.ownerUrl, (sql) => sql`select answer from kept`);
    expect(row?.['answer']).toBe(42);
  });

  test('gives the application a login that cannot change the schema, and no way in without a password', async () => {
    const server = await start();
    await expect(query(server.appUrl, (sql) => sql`create table mine (id integer)`)).rejects.toThrow(
      'permission denied',
    );
    for (const user of ['postgres', 'lintel_owner', 'lintel_app']) {
      const url = new URL(server.ownerUrl);
      url.username = user;
      url.password = 'guessed';
      await expect(query(url.href, (sql) => sql`select 1`)).rejects.toThrow('password authentication failed');
    }
    for (const name of ['logins.json', 'addresses.json']) {
      expect(statSync(join(folder, 'postgres', name)).mode & 0o077, name).toBe(0);
    }
  });

  test('runs in UTC, and compares text the same everywhere', async () => {
    const server = await start();
    const [row] = await query(
      server.ownerUrl,
      (sql) => sql`select current_setting('timezone') as zone, datlocale as locale, datlocprovider as provider
        from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({ zone: 'UTC', locale: 'C.UTF-8', provider: 'b' });
  });

  test('is adopted when its owner was killed, with every confirmed row', async () => {
    const { owner, report } = await startOwner();
    const url = addressOf(report);
    await query(url, (sql) => sql`create table kept as select 42 as answer`);
    const pid = postmasterPid();
    await end(owner, 'SIGKILL');
    expect(isAlive(pid)).toBe(true);

    const server = await start();
    expect(server.adopted).toBe(true);
    expect(server.ownerUrl).toBe(url);
    expect(postmasterPid()).toBe(pid);
    const [row] = await query(server.ownerUrl, (sql) => sql`select answer from kept`);
    expect(row?.['answer']).toBe(42);
    await stop(server);
    expect(isAlive(pid)).toBe(false);
  });

  test('is started again at the same address when its main process was killed in the middle of writing', async () => {
    const { owner, report } = await startOwner('sync');
    const confirmed = await writeUntilItBreaks(addressOf(report), () =>
      process.kill(postmasterPid(), 'SIGKILL'),
    );
    expect(confirmed).toBeGreaterThanOrEqual(49);
    await expect.poll(() => count(addressOf(report)).catch(() => 0)).toBeGreaterThanOrEqual(confirmed);
    await end(owner, 'SIGTERM');
    expect(existsSync(join(folder, 'postgres', 'pg', 'postmaster.pid'))).toBe(false);
  });

  test('is not given to a second process while the first one lives, which is told what to do', async () => {
    const server = await start();
    const { report } = await startOwner();
    expect(report).toHaveProperty(
      'refused',
      expect.stringContaining(`in use by another process of Lintel (process ${process.pid})`),
    );
    expect(report).toHaveProperty('refused', expect.stringContaining('DATABASE_URL'));
    await query(server.ownerUrl, (sql) => sql`select 1`);
    await expect(startEmbedded(folder)).rejects.toThrow('in use by another process');
  });

  test('goes to exactly one of several processes that start at once', async () => {
    const results = await Promise.all([startOwner(), startOwner(), startOwner()]);
    expect(results.filter(({ report }) => 'ownerUrl' in report)).toHaveLength(1);
  });

  test('can be found by a process that works beside its owner, as long as it runs', async () => {
    expect(await findRunning(folder)).toBeUndefined();
    const server = await start();
    expect(await findRunning(folder)).toEqual({ ownerUrl: server.ownerUrl, appUrl: server.appUrl });
    await stop(server);
    expect(await findRunning(folder)).toBeUndefined();
  });

  test('starts although the number of its killed process belongs to another program now', async () => {
    await stop(await start());
    const pidFile = join(folder, 'postgres', 'pg', 'postmaster.pid');
    writeFileSync(
      pidFile,
      `${process.pid}\n${join(folder, 'postgres', 'pg')}\n0\n5432\n\n127.0.0.1\n0 0\nready   \n`,
    );
    writeFileSync(
      join(folder, 'postgres', 'owner.lock'),
      JSON.stringify({ pid: process.pid, birth: 'an earlier process with this number' }),
    );
    const server = await start();
    expect(server.adopted).toBe(false);
    await query(server.ownerUrl, (sql) => sql`select 1`);
  });

  test('starts over when its first start was killed half way', async () => {
    const half = join(folder, 'postgres', 'pg.init-0123');
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, 'PG_VERSION'), '18\n');
    writeFileSync(join(folder, 'postgres', 'owner.lock'), '');
    const server = await start();
    await query(server.ownerUrl, (sql) => sql`select 1`);
    expect(readdirSync(join(folder, 'postgres')).filter((name) => name.startsWith('pg.init'))).toEqual([]);
  });

  test('says so when the folder cannot be written', async () => {
    writeFileSync(join(folder, 'postgres'), 'a file, where a folder is needed');
    await expect(startEmbedded(folder)).rejects.toThrow(/cannot be written: .* DATA_DIR/s);
    rmSync(join(folder, 'postgres'));
  });

  test('says so when its passwords have been lost, and touches nothing', async () => {
    await stop(await start());
    rmSync(join(folder, 'postgres', 'logins.json'));
    await expect(startEmbedded(folder)).rejects.toThrow('restore that file');
    expect(readFileSync(join(folder, 'postgres', 'pg', 'PG_VERSION'), 'utf8')).toBe('18\n');
  });

  test('leaves data of another version of Postgres alone', async () => {
    await stop(await start());
    writeFileSync(join(folder, 'postgres', 'pg', 'PG_VERSION'), '17\n');
    await expect(startEmbedded(folder)).rejects.toThrow(
      'was written by Postgres 17, and version 18 is installed',
    );
    writeFileSync(join(folder, 'postgres', 'pg', 'PG_VERSION'), '18\n');
  });

  test.runIf(asRoot)(
    'runs for root where no other user may enter, and moves between such places',
    async () => {
      const first = await start();
      await query(first.ownerUrl, (sql) => sql`create table kept as select 42 as answer`);
      await stop(first);
      const cluster = join(folder, 'postgres', 'pg');
      for (const mode of [0o700, 0o755, 0o700]) {
        chmodSync(folder, mode);
        const server = await start();
        const [row] = await query(server.ownerUrl, (sql) => sql`select answer from kept`);
        expect(row?.['answer']).toBe(42);
        // In a private folder Postgres runs as root in a namespace of its own; in an open folder it runs as another user, if
        // that user may also enter the folder of the Postgres programs.
        const isPrivate = mode === 0o700 || !othersMayEnter(import.meta.dirname);
        expect(statSync(cluster).uid === 0, `mode ${mode.toString(8)}`).toBe(isPrivate);
        await stop(server);
      }
    },
  );
});

function othersMayEnter(path: string): boolean {
  const parent = dirname(path);
  return (statSync(path).mode & 0o001) !== 0 && (parent === path || othersMayEnter(parent));
}
