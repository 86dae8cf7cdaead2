import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbedded } from '#db/embedded/start.ts';
import { loginOf, migrate } from '#db/migrate.ts';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { listBackups } from '#server/features/backups/stored-backups.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CHANGED_BY_RESTORE, rowsOf } from '#tests/support/backups.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { startTestServer } from '#tests/support/server/server.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';

// The work of an operator: a backup beside the running server, a restore on another machine into another kind of Postgres,
// and a restore back. Each command is a process of its own, with the settings of its machine.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { privateKey } = generateKeyPairSync('ed25519');
const BACKUP_SIGNING_KEY = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
const PUBLIC_KEY = publicKeyOf(privateKey);
const BYTES = Buffer.from('The fire doors of the third floor');

type Addresses = Pick<TestDatabase, 'appUrl' | 'ownerUrl'>;
/** The settings of a machine, besides those of the database. */
type Machine = Record<string, string> & { DATA_DIR: string };

let folder: string;
let own: TestDatabase;
let identity: string;
let encrypted: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-operator-'));
  own = await createTestDatabase({ migrated: false });
  identity = join(folder, 'identity.txt');
  const secret = await generateIdentity();
  await writeFile(identity, `# created: today\n${secret}\n`);
  encrypted = await identityToRecipient(secret);
});
afterAll(async () => {
  await own.drop();
  await rm(folder, { recursive: true, force: true });
});

async function machine(name: string, settings: Record<string, string> = {}): Promise<Machine> {
  const DATA_DIR = join(folder, name);
  // The user that Postgres runs as must be able to pass through the folder.
  await mkdir(DATA_DIR, { mode: 0o711 });
  return { ...settings, DATA_DIR };
}

/** Runs `npm run admin -- …`. */
function admin(settings: Machine, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...settings };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/admin.ts', ...args], {
      cwd: ROOT,
      env,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += String(piece)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
  });
}

/** Runs a server on a machine's database while the work is done. */
async function running(
  { DATA_DIR }: Machine,
  addresses: Addresses,
  work: (use: { url: string; cookie: string; services: Parameters<typeof createPerson>[0] }) => Promise<void>,
  who?: TestPerson,
): Promise<TestPerson> {
  const server = await startTestServer(addresses, { env: { dataDir: DATA_DIR } });
  try {
    const person = who ?? (await createPerson(server.services, { role: 'admin' }));
    await work({ url: server.url, cookie: await signInAs(server, person), services: server.services });
    return person;
  } finally {
    await server.stop();
  }
}

async function embedded(at: Machine, work: (addresses: Addresses) => Promise<void>): Promise<void> {
  const postgres = await startEmbedded(at.DATA_DIR, { sync: false });
  try {
    await migrate(postgres.ownerUrl, loginOf(postgres.appUrl));
    await work(postgres);
  } finally {
    await postgres.stop();
  }
}

test('from the embedded Postgres to one’s own, encrypted, and back', async () => {
  const repository = join(folder, 'repository');
  const first = await machine('first', { BACKUP_TO: repository, BACKUP_SIGNING_KEY });
  const second = await machine('second', {
    DATABASE_URL: own.appUrl,
    MIGRATION_DATABASE_URL: own.ownerUrl,
    BACKUP_TO: join(folder, 'encrypted'),
    BACKUP_SIGNING_KEY,
    BACKUP_ENCRYPT_TO: encrypted,
  });
  const third = await machine('third');

  let who: TestPerson | undefined;
  let rows: Record<string, string> = {};
  const tables = async () => {
    const [newest] = await listBackups({ storage: diskStorage(repository) }, PUBLIC_KEY);
    return newest?.manifest?.tables.filter(({ name }) => !CHANGED_BY_RESTORE.includes(name)) ?? [];
  };
  await embedded(first, async (addresses) => {
    who = await running(first, addresses, async ({ url, cookie, services }) => {
      const { id: buildingId } = await createBuilding(services, { name: 'Harbour House' });
      const client = createTestClient(url, cookie);
      await client.issues.create.mutate({ operationId: uuidv7(), id: uuidv7(), buildingId, title: 'A drip' });
      const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
      const address = await presignDocument(url, cookie, input, { name: 'Doors.txt', bytes: BYTES });
      expect((await rawClient(url, cookie).put(address, BYTES)).status).toBe(200);

      const made = await admin(first, 'backup');
      expect(made.said).toMatch(/1 file, 1 new[\s\S]*Backup \S+ is complete\./);
      expect(made.code).toBe(0);
      const verified = await admin(first, 'backup', 'verify');
      expect(verified).toEqual({ code: 0, said: expect.stringContaining('the event log are complete') });
      const listed = await admin(first, 'backups');
      expect(listed).toEqual({ code: 0, said: expect.stringMatching(/^\S+ of .* rows and 1 file/) });
      // An identity has no effect if the backup is not encrypted.
      const identified = await admin(first, 'backup', 'verify', '--identity', identity);
      expect(identified).toEqual({ code: 0, said: expect.stringContaining('the event log are complete') });
      const another = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' });
      const rekeyed = { ...first, BACKUP_SIGNING_KEY: another.toString('base64') };
      const foreignKey = await admin(rekeyed, 'backup', 'verify');
      expect(foreignKey).toEqual({ code: 1, said: expect.stringContaining('signed by another key') });
      expect((await admin(rekeyed, 'backup', 'verify', '--any-key')).code).toBe(0);
      // The disk was replaced.
      await rename(repository, `${repository}-old`);
      const unmounted = await admin(first, 'backup');
      expect(unmounted).toEqual({
        code: 1,
        said: expect.stringContaining('"npm run admin -- backup --new"'),
      });
      expect((await admin(first, 'backup', '--new')).code).toBe(0);
      const refused = await admin(first, 'restore');
      expect(refused).toEqual({ code: 1, said: expect.stringContaining('Stop it first') });
    });
    rows = await rowsOf(
      addresses.ownerUrl,
      (await tables()).filter(({ name }) => name !== 'backup_runs'),
    );
  });

  const foreign = publicKeyOf(generateKeyPairSync('ed25519').privateKey);
  expect(await admin(second, 'restore', repository, '--key', foreign)).toEqual({
    code: 1,
    said: expect.stringContaining('signed by another key'),
  });
  expect(await admin(second, 'restore', repository, '--key', 'PUBLIC_KEY')).toEqual({
    code: 1,
    said: expect.stringContaining('--key takes the public key'),
  });
  const restored = await admin(second, 'restore', repository, '--key', PUBLIC_KEY);
  expect(restored.said).toContain('Everybody has to sign in again.');
  expect(restored.code).toBe(0);
  const compared = (await tables()).filter(({ name }) => name !== 'backup_runs');
  expect(await rowsOf(own.ownerUrl, compared)).toEqual(rows);

  await running(
    second,
    own,
    async ({ url, cookie }) => {
      const client = createTestClient(url, cookie);
      const { data } = await client.issues.list.query({ filter: {} });
      expect(data.rows.map(({ title }) => title)).toEqual(['A drip']);
      expect((await admin(second, 'backup')).code).toBe(0);
      // Without the identity, only the stored (encrypted) bytes can be compared.
      const verified = await admin(second, 'backup', 'verify');
      expect(verified).toEqual({ code: 0, said: expect.stringContaining('It is encrypted') });
      const fully = await admin(second, 'backup', 'verify', '--identity', identity);
      expect(fully).toEqual({ code: 0, said: expect.stringContaining('the event log are complete') });
    },
    who,
  );

  const from = ['restore', join(folder, 'encrypted'), '--key', PUBLIC_KEY];
  expect(await admin(third, ...from)).toEqual({ code: 1, said: expect.stringContaining('--identity FILE') });
  const back = await admin(third, ...from, '--identity', identity);
  expect(back.said).toContain('Everybody has to sign in again.');
  await embedded(third, async (addresses) => {
    await running(
      third,
      addresses,
      async ({ url, cookie }) => {
        const client = createTestClient(url, cookie);
        const { data } = await client.issues.list.query({ filter: {} });
        const buildingId = data.rows[0]?.buildingId ?? '';
        const documents = (await client.documents.list.query({ buildingId, place: GENERAL_PLACE })).data.rows;
        const { url: link } = await client.documents.link.query({
          id: documents[0]?.id ?? '',
          as: 'download',
        });
        const file = await fetch(new URL(link, url), { headers: { cookie } });
        expect(Buffer.from(await file.arrayBuffer())).toEqual(BYTES);
      },
      who,
    );
  });
});

test('says in a sentence what is missing', async () => {
  const bare = await machine('bare');
  for (const [args, sentence] of [
    [['backup', join(folder, 'repository')], 'BACKUP_SIGNING_KEY is not set'],
    [['restore', join(folder, 'nowhere')], 'Name the public key that signed the backup with --key'],
    [['restore', join(folder, 'nowhere'), '--any-key'], 'The repository contains no backup.'],
    [['restore', join(folder, 'nowhere'), '--kye', PUBLIC_KEY], "Unknown option '--kye'"],
    [['backup', 'verfy'], '"verfy" is neither a folder nor a bucket. Write a path (./verfy), or s3://verfy.'],
    [['backup', './one', './two'], 'Name one folder or bucket.'],
    [['backup', './one', '--identity', 'x'], 'This command has no --identity.'],
    [['restore'], 'Name a folder or s3'],
    [['backups', 's3://lintel-backups'], 'which are not set'],
  ] as const) {
    const { code, said } = await admin(bare, ...args);
    expect([code, said], args.join(' ')).toEqual([1, expect.stringContaining(sentence)]);
    expect(said).not.toContain('    at ');
  }
});
