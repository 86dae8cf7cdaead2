import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loginOf } from '#db/migrate.ts';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { type Storage, StorageError } from '#server/adapters/storage/storage.ts';
import { checkBackup } from '#server/features/backups/check-backup.ts';
import { decryptionWith, encryptionTo } from '#server/features/backups/encryption.ts';
import { readFileList } from '#server/features/backups/file-list.ts';
import { type BackupOptions, makeBackup } from '#server/features/backups/make-backup.ts';
import type { Manifest } from '#server/features/backups/manifest.ts';
import { manifestKey } from '#server/features/backups/object-keys.ts';
import type { Repository } from '#server/features/backups/parts.ts';
import { restoreBackup } from '#server/features/backups/restore-backup.ts';
import { loadManifest } from '#server/features/backups/stored-backups.ts';
import { verifyBackup } from '#server/features/backups/verify-backup.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CHANGED_BY_RESTORE, rowsOf } from '#tests/support/backups.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const BYTES = Buffer.from('The fire doors of the third floor. '.repeat(20));
const MIGRATIONS = fileURLToPath(new URL('../../../db/migrations', import.meta.url));
const TITLES = ['A drip', '\\.', 'Élan'];
/** Small, so that the larger tables and files have several. */
const PART_BYTES = 250;

let folder: string;
let database: TestDatabase;
/** Nobody has used it. */
let untouched: TestDatabase;
let server: TestServer;
let admin: TestPerson;
let cookie: string;
let buildingId: string;
/** Commands that were carried out before the backup. */
let sent: ReturnType<typeof issue>[];
let repository: Repository;
let manifest: Manifest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-backup-'));
  database = await createTestDatabase();
  untouched = await createTestDatabase();
  server = await startTestServer(database, { env: { dataDir: join(folder, 'data') } });
  admin = await createPerson(server.services, { role: 'admin' });
  ({ id: buildingId } = await createBuilding(server.services, { name: 'Harbour\tHouse\\n' }));
  cookie = await signInAs(server, admin);
  const client = createTestClient(server.url, cookie);
  sent = TITLES.map((title) => issue(title));
  for (const input of sent) await client.issues.create.mutate(input);
  await uploadDocument('Doors.txt', BYTES);
  repository = repositoryAt('backups');
  ({ manifest } = await backup());
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await untouched.drop();
  await rm(folder, { recursive: true, force: true });
});

function issue(title: string) {
  return { operationId: uuidv7(), id: uuidv7(), buildingId, title, description: `${title}\n\\N\t"` };
}

function repositoryAt(name: string, cipher?: Repository['cipher']): Repository {
  return { storage: diskStorage(join(folder, name)), cipher, partBytes: PART_BYTES };
}

async function uploadDocument(name: string, bytes: Buffer): Promise<void> {
  const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
  const address = await presignDocument(server.url, cookie, input, { name, bytes });
  expect((await rawClient(server.url, cookie).put(address, bytes)).status).toBe(200);
}

function backup(parts: Partial<BackupOptions> = {}) {
  return makeBackup({
    databaseUrl: database.appUrl,
    stores: server.services.stores,
    repository,
    signingKey: privateKey,
    encryptedTo: null,
    version: '0.1.0',
    now: new Date(),
    ...parts,
  });
}

/** Restores into a database of its own, and runs a server on it. */
async function restored(
  from: Repository,
  of: Manifest,
  look: (other: { server: TestServer; database: TestDatabase }) => Promise<void>,
): Promise<void> {
  const other = await createTestDatabase({ migrated: false });
  const dataDir = await mkdtemp(join(folder, 'restored-'));
  try {
    await restoreInto(other, dataDir, from, of);
    const after = await startTestServer(other, { env: { dataDir } });
    try {
      await look({ server: after, database: other });
    } finally {
      await after.stop();
    }
  } finally {
    await other.drop();
  }
}

function restoreInto(
  other: TestDatabase,
  dataDir: string,
  from: Repository,
  of: Manifest,
  {
    storage = diskStorage(join(dataDir, 'files')),
    ...options
  }: { migrations?: string; storage?: Storage } = {},
): Promise<void> {
  const stores = { preferred: 'disk', disk: { storage }, s3: undefined } as const;
  const appRole = loginOf(other.appUrl);
  return restoreBackup({
    ownerUrl: other.ownerUrl,
    appRole,
    repository: from,
    manifest: of,
    stores,
    ...options,
  });
}

/** Restores into a database that stays as it was, because the backup is refused. */
async function refusedRestore(from: Repository, of: Manifest): Promise<void> {
  const dataDir = join(folder, 'untouched');
  const before = await rowsOf(untouched.ownerUrl, of.tables);
  try {
    await restoreInto(untouched, dataDir, from, of);
  } finally {
    expect(await rowsOf(untouched.ownerUrl, of.tables)).toEqual(before);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  }
}

async function checkFile(other: TestServer): Promise<void> {
  const own = await signInAs(other, admin);
  const client = createTestClient(other.url, own);
  const documents = (await client.documents.list.query({ buildingId, place: GENERAL_PLACE })).data.rows;
  const document = documents.find(({ fileName }) => fileName === 'Doors.txt');
  const { url } = await client.documents.link.query({ id: document?.id ?? '', as: 'download' });
  const file = await fetch(new URL(url, other.url), { headers: { cookie: own } });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(BYTES);
}

test('restores every row and every byte, and everybody signs in again', async () => {
  const compared = manifest.tables.filter(({ name }) => !CHANGED_BY_RESTORE.includes(name));
  const before = await rowsOf(database.ownerUrl, compared);
  await restored(repository, manifest, async (other) => {
    expect(await rowsOf(other.database.ownerUrl, compared)).toEqual(before);
    const [sessions] = await withLogin(
      other.database.ownerUrl,
      (sql) => sql<{ n: number }[]>`select count(*)::int as n from sessions`,
    );
    expect(sessions?.n).toBe(0);
    await checkFile(other.server);
    await checkUnsentRecords(other);
  });
});

/** Pages and phones start afresh, and what a phone had not sent arrives once. */
async function checkUnsentRecords(other: { server: TestServer; database: TestDatabase }): Promise<void> {
  const [head] = await withLogin(
    other.database.ownerUrl,
    (sql) => sql<{ epoch: string; g: number }[]>`select epoch, g::float8 as g from stream_head`,
  );
  expect(head?.epoch).not.toBe(manifest.log.epoch);
  const client = createTestClient(other.server.url, await signInAs(other.server, admin));
  // The answer of the first was lost before the backup; the other was never sent.
  const queued = [...sent.slice(0, 1), issue('From the basement')];
  for (const input of [...queued, ...queued]) await client.issues.create.mutate(input);
  const { data } = await client.issues.list.query({ filter: {} });
  expect(data.rows.map(({ title }) => title).sort()).toEqual([...TITLES, 'From the basement'].sort());
}

test('restores into a later version, whose migrations follow', async () => {
  const migrations = join(folder, 'migrations');
  await cp(MIGRATIONS, migrations, { recursive: true });
  const journal = join(migrations, 'meta', '_journal.json');
  const { entries } = JSON.parse(await readFile(journal, 'utf8')) as { entries: object[] };
  const later = { idx: entries.length, version: '7', when: 9e12, tag: 'later', breakpoints: true };
  await writeFile(journal, JSON.stringify({ entries: [...entries, later] }));
  await writeFile(
    join(migrations, 'later.sql'),
    `alter table buildings add column nickname text; update buildings set nickname = name || '!'`,
  );
  const other = await createTestDatabase({ migrated: false });
  try {
    await restoreInto(other, join(folder, 'later'), repository, manifest, { migrations });
    const names = await withLogin(
      other.ownerUrl,
      (sql) => sql<{ nickname: string }[]>`select nickname from buildings`,
    );
    expect(names).toEqual([{ nickname: 'Harbour\tHouse\\n!' }]);
  } finally {
    await other.drop();
  }
});

test('a second backup writes only the files that are new', async () => {
  const names = async () =>
    (await readdir(join(folder, 'backups', 'backup-files'), { recursive: true })).sort();
  const before = await names();
  const second = await backup();
  expect(second).toMatchObject({ newFiles: 0, newBytes: 0 });
  expect(second.manifest.files.count).toBe(manifest.files.count);
  expect(await names()).toEqual(before);
  const bytes = Buffer.from('Another');
  await uploadDocument('Other.txt', bytes);
  expect(await backup()).toMatchObject({ newFiles: 1, newBytes: bytes.byteLength });
});

test('large tables and files are in several parts', () => {
  const numbers = manifest.tables.map(({ parts }) => parts.length);
  expect(Math.max(...numbers)).toBeGreaterThan(2);
});

test('is verified in a Postgres of its own, of which nothing stays', async () => {
  const dataDir = join(folder, 'data');
  const before = await readdir(dataDir);
  expect(await verifyBackup(repository, manifest, dataDir)).toBe(true);
  expect(await readdir(dataDir)).toEqual(before);
});

test('an encrypted backup can be read by the identity alone', async () => {
  const identity = await generateIdentity();
  const recipient = await identityToRecipient(identity);
  const writing = repositoryAt('encrypted', encryptionTo(recipient));
  const { manifest: encrypted } = await backup({ repository: writing, encryptedTo: recipient });

  const kept = await readdir(join(folder, 'encrypted'), { recursive: true, withFileTypes: true });
  for (const entry of kept.filter((one) => one.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name));
    expect(bytes.includes('fire doors')).toBe(false);
  }
  expect(await verifyBackup(repositoryAt('encrypted'), encrypted, join(folder, 'data'))).toBe(false);
  const stranger = repositoryAt('encrypted', decryptionWith(await generateIdentity()));
  await expect(refusedRestore(stranger, encrypted)).rejects.toThrow('cannot be decrypted with this identity');
  await checkBackup(repositoryAt('encrypted', decryptionWith(identity)), encrypted);
});

test('a damaged, cut, forged or newer backup is refused before anything is touched', async () => {
  const publicKey = publicKeyOf(privateKey);
  const refused = async (change: (path: (key: string) => string) => Promise<void>, sentence: string) => {
    await rm(join(folder, 'copy'), { recursive: true, force: true });
    await cp(join(folder, 'backups'), join(folder, 'copy'), { recursive: true });
    await change((key) => join(folder, 'copy', ...key.split('/')));
    const from = repositoryAt('copy');
    const attempt = loadManifest(from, manifest.id, publicKey).then((of) => refusedRestore(from, of));
    await expect(attempt).rejects.toThrow(sentence);
  };
  const table = manifest.tables.find(({ rows }) => rows > 0)?.parts.at(-1)?.key ?? '';
  const file = (await readdir(join(folder, 'backups', 'backup-files', 'plain'), { recursive: true })).find(
    (name) => name.endsWith('.1'),
  );
  const flip = async (path: string) => {
    const bytes = await readFile(path);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };
  const stored = manifestKey(manifest.id);
  const change = (from: string, to: string) => async (path: (key: string) => string) => {
    const text = await readFile(path(stored), 'utf8');
    expect(text).toContain(from);
    await writeFile(path(stored), text.replace(from, to));
  };

  await refused((path) => flip(path(table)), `${table} is damaged`);
  await refused(async (path) => writeFile(path(table), ''), `${table} is damaged`);
  await refused((path) => rm(path(table)), `It lacks ${table}`);
  await refused((path) => flip(path(`backup-files/plain/${file}`)), 'is damaged');
  await refused((path) => rm(path(`backup-files/plain/${file}`)), 'It lacks backup-files/plain/');
  await refused((path) => rm(path(stored)), `There is no backup ${manifest.id}`);
  await refused(async (path) => writeFile(path(stored), '{'), 'Its manifest is damaged');
  await refused(change('\\"version\\":\\"0.1.0', '\\"version\\":\\"0.1.1'), 'changed after it was signed');
  await refused(
    async (path) => change(publicKey, publicKeyOf(generateKeyPairSync('ed25519').privateKey))(path),
    'signed by another key',
  );

  const newer = { ...manifest, migrations: [...manifest.migrations, { hash: 'x', at: 9e12 }] };
  await expect(refusedRestore(repository, newer)).rejects.toThrow('which is newer');
  const other = { ...manifest, migrations: [{ hash: 'x', at: 1 }] };
  await expect(refusedRestore(repository, other)).rejects.toThrow('does not know');
});

test('a database that is in use is not touched', async () => {
  const parts = { appRole: undefined, repository, manifest, stores: server.services.stores };
  const before = await rowsOf(database.ownerUrl, manifest.tables);
  await expect(restoreBackup({ ownerUrl: database.ownerUrl, ...parts })).rejects.toThrow(/running|in use/);
  expect(await rowsOf(database.ownerUrl, manifest.tables)).toEqual(before);
});

test('a backup that ends in the middle is none, and its half files are not taken for whole ones', async () => {
  const bytes = Buffer.alloc(PART_BYTES * 3 + 1, 'A file of four parts');
  await uploadDocument('Long.txt', bytes);
  const broken = repositoryAt('broken');
  let writes = 0;
  const failing: Repository = {
    ...broken,
    storage: {
      ...broken.storage,
      async put(key, source, options) {
        if (key.startsWith('backup-files/')) writes += 1;
        // The bytes of a half written file.
        if (writes === 3) throw new Error('pulled');
        return broken.storage.put(key, source, options);
      },
    },
  };
  await expect(backup({ repository: failing })).rejects.toThrow('pulled');
  await expect(loadManifest(broken, manifest.id)).rejects.toThrow('There is no backup');
  const { manifest: whole } = await backup({ repository: broken });
  await checkBackup(broken, whole);
});

test('an aborted backup ends soon, and leaves none', async () => {
  const stopped = repositoryAt('stopped');
  const controller = new AbortController();
  const aborting: Repository = {
    ...stopped,
    signal: controller.signal,
    storage: {
      ...stopped.storage,
      put(key, source, options) {
        controller.abort();
        return stopped.storage.put(key, Readable.from(source), options);
      },
    },
  };
  await expect(backup({ repository: aborting })).rejects.toThrow('aborted');
  expect((await stopped.storage.list('backups/')).files).toEqual([]);
});

test('a restore that ends in the middle leaves nothing, and can be run again', async () => {
  const other = await createTestDatabase();
  const dataDir = join(folder, 'pulled');
  const files = diskStorage(join(dataDir, 'files'));
  const before = await rowsOf(other.ownerUrl, manifest.tables);
  const keys: string[] = [];
  for await (const { key } of readFileList(repository, manifest)) keys.push(key);
  const areThere = async () => (await Promise.all(keys.map((key) => files.head(key)))).map(Boolean);
  const isUntouched = async () => {
    expect(await rowsOf(other.ownerUrl, manifest.tables)).toEqual(before);
    expect(await areThere()).toEqual(keys.map(() => false));
  };
  try {
    const full: Storage = { ...files, put: () => Promise.reject(new StorageError('full')) };
    await expect(restoreInto(other, dataDir, repository, manifest, { storage: full })).rejects.toThrow(
      'full',
    );
    await isUntouched();

    // The rows are read twice: compared, and put in.
    const last = manifest.tables.filter(({ rows }) => rows > 0).at(-1)?.parts[0]?.key;
    let reads = 0;
    const pulled: Repository = {
      ...repository,
      storage: {
        ...repository.storage,
        async get(key, range) {
          if (key === last) reads += 1;
          return reads === 2 ? undefined : repository.storage.get(key, range);
        },
      },
    };
    await expect(restoreInto(other, dataDir, pulled, manifest)).rejects.toThrow(`It lacks ${last}`);
    await isUntouched();

    await restoreInto(other, dataDir, repository, manifest);
    expect(await areThere()).toEqual(keys.map(() => true));
    const compared = manifest.tables.filter(({ name }) => name === 'issues');
    expect(await rowsOf(other.ownerUrl, compared)).toEqual(await rowsOf(database.ownerUrl, compared));
  } finally {
    await other.drop();
  }
});
