import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { knownMigrations, migrateTo } from '#db/migrate.ts';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { type Storage, StorageError } from '#server/adapters/storage/storage.ts';
import { readFileList } from '#server/features/backups/file-list.ts';
import type { Manifest } from '#server/features/backups/manifest.ts';
import type { Repository } from '#server/features/backups/parts.ts';
import { uuidv7 } from '#shared/ids.ts';
import {
  type BackupSetting,
  CHANGED_BY_RESTORE,
  createBackupSetting,
  downloadDocument,
  PART_BYTES,
  restoreInto,
  rowsOf,
  withRestored,
} from '#tests/support/backups.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { createPeople } from '#tests/support/rows/population.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';
import { createWebhook } from '#tests/support/webhooks/create-webhook.ts';

const BYTES = Buffer.from('The fire doors of the third floor. '.repeat(100));
const MIGRATIONS = fileURLToPath(new URL('../../../db/migrations', import.meta.url));
const TITLES = ['A drip', '\\.', 'Élan'];

let setting: BackupSetting;
/** Commands that were carried out before the backup. */
let sent: ReturnType<typeof issue>[];
let repository: Repository;
let manifest: Manifest;
/** A key of the API that is valid at the time of the backup. */
let key: string;

beforeAll(async () => {
  setting = await createBackupSetting();
  const client = createTestClient(setting.server.url, setting.cookie);
  sent = TITLES.map((title) => issue(title));
  for (const input of sent) await client.issues.create.mutate(input);
  await setting.uploadDocument('Doors.txt', BYTES);
  ({ key } = await createApiKey(client));
  // The webhook reports only events that do not happen in this file, so it has no deliveries.
  await createWebhook(client, { url: 'https://hooks.invalid/', permissions: ['view_logbook'] });
  repository = setting.repositoryAt('backups');
  ({ manifest } = await setting.backup(repository));
});
afterAll(() => setting.close());

function issue(title: string) {
  const { buildingId } = setting;
  return { operationId: uuidv7(), id: uuidv7(), buildingId, title, description: `${title}\n\\N\t"` };
}

/** Runs a test with an unused database, and drops it afterwards. */
async function withUnused(
  { migrated }: { migrated: boolean },
  work: (other: TestDatabase, dataDir: string) => Promise<void>,
): Promise<void> {
  const other = await createTestDatabase({ migrated });
  try {
    await work(other, join(setting.folder, `other-${uuidv7()}`));
  } finally {
    await other.drop();
  }
}

test('restores every row and every byte, and everybody signs in again', async () => {
  const compared = manifest.tables.filter(({ name }) => !CHANGED_BY_RESTORE.includes(name));
  const before = await rowsOf(setting.database.ownerUrl, compared);
  await withRestored(setting, { repository, manifest }, async (other) => {
    expect(await rowsOf(other.database.ownerUrl, compared)).toEqual(before);
    const signedIn = [{ name: 'sessions' }, { name: 'session_tokens' }, { name: 'setup_codes' }];
    expect(Object.values(await rowsOf(other.database.ownerUrl, signedIn)).join('')).toBe('');
    expect((await downloadDocument(setting, other.server, 'Doors.txt')).bytes).toEqual(BYTES);
    // The restore revokes all keys, because a key may have been revoked after the backup.
    expect((await callApi(setting.server.url, key, '/issues')).status).toBe(200);
    expect((await callApi(other.server.url, key, '/issues')).status).toBe(401);
    // The restore switches webhooks off, because otherwise receivers would get messages from both installations.
    const client = createTestClient(other.server.url, await signInAs(other.server, setting.admin));
    expect((await client.webhooks.list.query()).data).toMatchObject([{ offReason: 'restored' }]);
    await checkUnsentRecords(other);
  });
});

/** Checks that pages and phones must take fresh snapshots, and that unsent records of a phone are stored once. */
async function checkUnsentRecords(other: { server: TestServer; database: TestDatabase }): Promise<void> {
  const [head] = await withLogin(
    other.database.ownerUrl,
    (sql) => sql<{ epoch: string; g: number }[]>`select epoch, g::float8 as g from stream_head`,
  );
  expect(head?.epoch).not.toBe(manifest.log.epoch);
  const client = createTestClient(other.server.url, await signInAs(other.server, setting.admin));
  // The answer to the first command was lost before the backup; the second command was never sent.
  const queued = [...sent.slice(0, 1), issue('From the basement')];
  for (const input of [...queued, ...queued]) await client.issues.create.mutate(input);
  const { data } = await client.issues.list.query({ filter: {} });
  expect(data.rows.map(({ title }) => title).sort()).toEqual([...TITLES, 'From the basement'].sort());
}

test('large tables and files are in several parts', async () => {
  const tables = manifest.tables.map(({ parts }) => parts.length);
  expect(Math.max(...tables)).toBeGreaterThan(1);
  const files = await readFileList(repository, manifest);
  expect(files.map(({ parts }) => parts.length)).toEqual([Math.ceil(BYTES.byteLength / PART_BYTES)]);
});

test('restores into a later version, whose migrations follow', async () => {
  const migrations = join(setting.folder, 'migrations');
  await cp(MIGRATIONS, migrations, { recursive: true });
  const journal = join(migrations, 'meta', '_journal.json');
  const { entries } = JSON.parse(await readFile(journal, 'utf8')) as { entries: object[] };
  const later = { idx: entries.length, version: '7', when: 9e12, tag: 'later', breakpoints: true };
  await writeFile(journal, JSON.stringify({ entries: [...entries, later] }));
  await writeFile(
    join(migrations, 'later.sql'),
    `alter table buildings add column nickname text; update buildings set nickname = name || '!'`,
  );
  await withUnused({ migrated: false }, async (other, dataDir) => {
    await restoreInto(other, dataDir, { repository, manifest, migrations });
    const names = await withLogin(
      other.ownerUrl,
      (sql) => sql<{ nickname: string }[]>`select nickname from buildings`,
    );
    expect(names).toEqual([{ nickname: 'Harbour\tHouse\\n!' }]);
  });
});

test('restores a backup of the first version, which has fewer tables', async () => {
  await withUnused({ migrated: false }, async (first) => {
    await migrateTo(first.ownerUrl, knownMigrations()[0]?.at ?? 0);
    const old = setting.repositoryAt('first-version');
    const made = await setting.backup(old, { databaseUrl: first.ownerUrl });
    expect(made.manifest.tables.map(({ name }) => name)).not.toContain('webhooks');
    await withUnused({ migrated: false }, async (other, dataDir) => {
      await restoreInto(other, dataDir, { repository: old, manifest: made.manifest });
      const known = await withLogin(other.ownerUrl, (sql) => sql`select from webhooks`);
      expect(known).toHaveLength(0);
    });
  });
});

test('restores moments and durations whatever the formats of the databases are', async () => {
  const setFormats = ({ ownerUrl }: TestDatabase, dates: string, intervals: string) =>
    withLogin(ownerUrl, (sql) => {
      const name = new URL(ownerUrl).pathname.slice(1);
      return sql.unsafe(
        `alter database ${name} set datestyle = ${dates}; alter database ${name} set intervalstyle = ${intervals}`,
      );
    });
  const compared = manifest.tables.filter(({ name }) => name === 'issues' || name === 'events');
  const before = await rowsOf(setting.database.ownerUrl, compared);
  await setFormats(setting.database, `'German, DMY'`, 'sql_standard');
  const { manifest: german } = await setting.backup(repository);
  await setFormats(setting.database, 'default', 'default');
  await withUnused({ migrated: true }, async (other, dataDir) => {
    await setFormats(other, `'SQL, MDY'`, 'iso_8601');
    await restoreInto(other, dataDir, { repository, manifest: german });
    await setFormats(other, 'default', 'default');
    expect(await rowsOf(other.ownerUrl, compared)).toEqual(before);
  });
});

test('a database that Lintel runs on is not touched', async () => {
  const before = await rowsOf(setting.database.ownerUrl, manifest.tables);
  const attempt = restoreInto(setting.database, join(setting.folder, 'taken'), { repository, manifest });
  await expect(attempt).rejects.toThrow('Lintel is running on this database');
  expect(await rowsOf(setting.database.ownerUrl, manifest.tables)).toEqual(before);
});

test('tables of other programs are not touched', async () => {
  await withUnused({ migrated: false }, async (other, dataDir) => {
    await withLogin(other.ownerUrl, (sql) => sql`create table ledger as select 1 as n`);
    await expect(restoreInto(other, dataDir, { repository, manifest })).rejects.toThrow(
      'tables of other programs: ledger',
    );
    expect(await rowsOf(other.ownerUrl, [{ name: 'ledger' }])).toEqual({ ledger: '(1)' });
  });
});

test('people who came while the backup was read are not overwritten', async () => {
  await withUnused({ migrated: true }, async (other, dataDir) => {
    const files = diskStorage(join(dataDir, 'files'));
    const settingUp: Storage = {
      ...files,
      async put(...args) {
        await withLogin(other.ownerUrl, (sql) => createPeople(sql, [{ role: 'admin', buildings: [] }]));
        return files.put(...args);
      },
    };
    const people = [{ name: 'profiles' }];
    await expect(restoreInto(other, dataDir, { repository, manifest, storage: settingUp })).rejects.toThrow(
      'contains people already',
    );
    const there = await rowsOf(other.ownerUrl, people);
    expect(there.profiles).not.toBe('');
    // A restore is refused at once if the database already has people.
    await expect(restoreInto(other, dataDir, { repository, manifest })).rejects.toThrow(
      'contains people already',
    );
    expect(await rowsOf(other.ownerUrl, people)).toEqual(there);
  });
});

test('objects that are replaced after they were compared are refused', async () => {
  const last = manifest.tables.filter(({ rows }) => rows > 0).at(-1)?.parts[0]?.key ?? '';
  const other = manifest.tables.find(({ rows, parts }) => rows > 0 && parts[0]?.key !== last)?.parts[0]?.key;
  const [file] = (await readFileList(repository, manifest)).flatMap(({ parts }) =>
    parts.map(({ key }) => key),
  );
  for (const [replaced, replacement, sentence] of [
    [last, undefined, `It lacks ${last}`],
    [last, other ?? '', `${last} is damaged`],
    [file ?? '', undefined, `It lacks ${file}`],
    [file ?? '', other ?? '', `${file} is damaged`],
  ] as const) {
    await withUnused({ migrated: true }, async (unused, dataDir) => {
      const before = await rowsOf(unused.ownerUrl, manifest.tables);
      const attempt = restoreInto(unused, dataDir, {
        repository: replacing(replaced, replacement),
        manifest,
      });
      await expect(attempt).rejects.toThrow(sentence);
      expect(await rowsOf(unused.ownerUrl, manifest.tables)).toEqual(before);
      expect(await areThere(dataDir)).toEqual([false]);

      if (replacement !== undefined) return;
      // The restore can be run again.
      await restoreInto(unused, dataDir, { repository, manifest });
      expect(await areThere(dataDir)).toEqual([true]);
    });
  }
});

/** Returns a repository in which an object is replaced after it was first read. */
function replacing(replaced: string, replacement: string | undefined): Repository {
  const { storage } = repository;
  let reads = 0;
  return {
    ...repository,
    storage: {
      ...storage,
      async get(key, range) {
        if (key === replaced) reads += 1;
        if (key !== replaced || reads === 1) return storage.get(key, range);
        return replacement === undefined ? undefined : storage.get(replacement, range);
      },
    },
  };
}

async function areThere(dataDir: string): Promise<boolean[]> {
  const files = diskStorage(join(dataDir, 'files'));
  const listed = await readFileList(repository, manifest);
  return (await Promise.all(listed.map(({ key }) => files.head(key)))).map(Boolean);
}

test('without room for the files nothing is restored', async () => {
  await withUnused({ migrated: true }, async (other, dataDir) => {
    const before = await rowsOf(other.ownerUrl, manifest.tables);
    const full: Storage = {
      ...diskStorage(join(dataDir, 'files')),
      put: () => Promise.reject(new StorageError('full')),
    };
    await expect(restoreInto(other, dataDir, { repository, manifest, storage: full })).rejects.toThrow(
      'There is no room for the files. Nothing was restored.',
    );
    expect(await rowsOf(other.ownerUrl, manifest.tables)).toEqual(before);
  });
});
