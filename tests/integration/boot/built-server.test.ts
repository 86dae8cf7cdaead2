import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#db/client.ts';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { startTransactionPooler } from '#tests/support/network/transaction-pooler.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { checkFile, runFile } from '#tests/support/server/files.ts';
import { addPasskey, atHostName } from '#tests/support/sign-in/passkeys.ts';

// The bundled server that `npm start` runs, built here the same way.

const root = fileURLToPath(new URL('../../..', import.meta.url));
let database: TestDatabase;
let folder: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  // Inside the project, because packages left out of the bundle are resolved from there upwards.
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'built-server-'));
  await promisify(execFile)(process.execPath, ['scripts/lib/server-build.mjs', folder], { cwd: root });
});
afterAll(async () => {
  if (child?.exitCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

function start(databaseUrl = database.appUrl, log: 'pipe' | number = 'pipe'): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      PORT: '0',
      LOG_LEVEL: log === 'pipe' ? 'warn' : 'trace',
      DATA_DIR: folder,
    };
    const stdio = ['ignore', 'pipe', log] as const;
    const started = spawn(process.execPath, [join(folder, 'main.js')], { cwd: root, env, stdio: [...stdio] });
    child = started;
    let said = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const address = /Lintel is ready at (\S+)/.exec(said)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
    started.once('exit', (code) => reject(new Error(`The server ended (${code}):\n${said}`)));
  });
}

test('it migrates, hashes, serves, imports and stops as its sources do', async () => {
  const url = await start();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'quite-another-phrase' });
  const headers = { 'content-type': 'application/json', origin: url, 'x-app': '1' };
  const refused = await fetch(`${url}/trpc/session.signIn`, { method: 'POST', headers, body });
  expect(refused.status).toBe(401);
  const code = await setupCode();
  const setUp = async (password: string) => {
    const person = { firstName: 'Ada', lastName: 'Bell', email: 'ada@example.com', password };
    const input = JSON.stringify({ start: 'empty', code, ...person });
    return fetch(`${url}/trpc/session.setup`, { method: 'POST', headers, body: input });
  };
  // Only the list of common passwords rejects this password; the list is read from a file beside its package.
  expect(await (await setUp('sunshine')).text()).toContain(messages.session.passwordCommon);
  const cookie = (await setUp('quite-another-phrase')).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const client = createTestClient(url, cookie);
  const { id: userId } = (await client.session.me.query()).data;
  await client.users.setRole.mutate({ operationId: uuidv7(), userId, role: 'admin', setupCode: code });
  // Files are parsed in a worker thread, which is a file of its own.
  expect((await checkFile(url, cookie, 'clients', 'Client\nAcme\n""')).rows).toMatchObject([
    { cells: ['Acme'] },
  ]);
  expect((await runFile(url, cookie, 'clients', 'Client\nAcme')).at(-1)).toEqual({ result: { count: 1 } });
  // The library of passkeys is loaded at its first use, from another file.
  const site = atHostName(url);
  const { authenticator } = await addPasskey(createTestClient(site, cookie), site);
  const newcomer = createTestClient(site);
  const { options, challenge } = await newcomer.session.beginPasskeySignIn.mutate({});
  const assertion = authenticator.sign(options);
  await newcomer.session.signInWithPasskey.mutate({ challenge, assertion });
  const ended = new Promise((resolve) => child?.once('exit', resolve));
  child?.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.skipIf(!existsSync('/dev/full'))('it serves on when its log cannot be written any more', async () => {
  const full = openSync('/dev/full', 'w');
  const url = await start(database.appUrl, full);
  closeSync(full);
  // Each request writes a line of the log, and each write fails.
  for (let at = 0; at < 3; at += 1) await fetch(`${url}/files/${uuidv7()}`);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const ended = new Promise((resolve) => child?.once('exit', resolve));
  child?.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('what it says of itself names the files that were written', () => {
  const code = readFileSync(join(folder, 'main.js'), 'utf8').split('\n');
  const map = new SourceMap(JSON.parse(readFileSync(join(folder, 'main.js.map'), 'utf8')));
  const line = code.findIndex((text) => text.includes('async function startServer('));
  const entry = map.findEntry(line, code[line]?.indexOf('startServer') ?? 0);
  expect(entry).toMatchObject({ originalSource: expect.stringMatching(/server\/boot\/start-server\.ts$/) });
  const source = readFileSync(join(root, 'server', 'boot', 'start-server.ts'), 'utf8').split('\n');
  expect(source['originalLine' in entry ? entry.originalLine : -1]).toContain('function startServer(');
});

test('it refuses a database of an older version with a sentence', async () => {
  const owner = connect(database.ownerUrl);
  await owner.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('its first', 1795223571594)`;
  await owner.close();
  const refused = await start().catch(String);
  expect(refused).toContain('The server ended (1)');
  expect(refused).toContain('was set up by a version from before 0.1.0, which cannot be upgraded.');
  expect(refused).not.toContain('    at ');
});

async function setupCode(): Promise<string> {
  const { db, close } = connect(database.appUrl);
  const code = await makeSetupCode(db, new Date().toISOString());
  await close();
  return code;
}

test('it refuses a pooler in transaction mode with a sentence', async () => {
  const address = new URL(database.appUrl);
  const pooler = await startTransactionPooler(Number(address.port));
  address.port = String(pooler.port);
  await expect(start(address.href)).rejects.toThrow(
    /^The server ended \(1\):\nDATABASE_URL leads to a connection pooler in transaction mode\./,
  );
  await pooler.close();
});
