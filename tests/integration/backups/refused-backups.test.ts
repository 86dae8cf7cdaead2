import { generateKeyPairSync } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { checkBackup } from '#server/features/backups/check-backup.ts';
import { decryptionWith, encryptionTo } from '#server/features/backups/encryption.ts';
import { readFileList } from '#server/features/backups/file-list.ts';
import type { Manifest } from '#server/features/backups/manifest.ts';
import { fileListKey, manifestKey } from '#server/features/backups/object-keys.ts';
import type { Repository } from '#server/features/backups/parts.ts';
import { loadManifest } from '#server/features/backups/stored-backups.ts';
import { verifyBackup } from '#server/features/backups/verify-backup.ts';
import { type BackupSetting, createBackupSetting, restoreInto, rowsOf } from '#tests/support/backups.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';

// A backup that cannot be restored is refused before anything is changed.

let setting: BackupSetting;
/** An unused database. */
let untouched: TestDatabase;
let repository: Repository;
let manifest: Manifest;
let publicKey: string;

beforeAll(async () => {
  setting = await createBackupSetting();
  untouched = await createTestDatabase();
  await setting.uploadDocument('Doors.txt', Buffer.from('The fire doors of the third floor. '.repeat(100)));
  repository = setting.repositoryAt('backups');
  ({ manifest } = await setting.backup(repository));
  publicKey = publicKeyOf(setting.signingKey);
});
afterAll(async () => {
  await untouched.drop();
  await setting.close();
});

/** Restores into a database that must stay unchanged, because the backup is refused. */
async function refusedRestore(from: Repository, of: Manifest): Promise<void> {
  const dataDir = join(setting.folder, 'untouched');
  const before = await rowsOf(untouched.ownerUrl, of.tables);
  try {
    await restoreInto(untouched, dataDir, { repository: from, manifest: of });
  } finally {
    expect(await rowsOf(untouched.ownerUrl, of.tables)).toEqual(before);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  }
}

type PathOf = (key: string) => string;

/** Restores a copy of the repository with a change. */
async function refused(change: (path: PathOf) => Promise<void>, sentence: string): Promise<void> {
  const copy = join(setting.folder, 'copy');
  await rm(copy, { recursive: true, force: true });
  await cp(join(setting.folder, 'backups'), copy, { recursive: true });
  await change((key) => join(copy, ...key.split('/')));
  const from = setting.repositoryAt('copy');
  const attempt = loadManifest(from, manifest.id, publicKey).then((of) => refusedRestore(from, of));
  await expect(attempt).rejects.toThrow(sentence);
}

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

test('a damaged or cut backup', async () => {
  const table = manifest.tables.find(({ rows }) => rows > 0)?.parts.at(-1)?.key ?? '';
  const file = (await readFileList(repository, manifest))[0]?.parts[1]?.key ?? '';
  const list = fileListKey(manifest.id);
  const damagedFile = 'is damaged or missing (1 file in all). "--skip-damaged" restores without.';
  await refused((path) => flip(path(table)), `${table} is damaged`);
  await refused(async (path) => writeFile(path(table), ''), `${table} is damaged`);
  await refused((path) => rm(path(table)), `It lacks ${table}`);
  await refused((path) => flip(path(file)), damagedFile);
  await refused((path) => rm(path(file)), damagedFile);
  await refused((path) => flip(path(list)), `${list} is damaged`);
  await refused((path) => rm(path(list)), `It lacks ${list}`);
});

test('a forged manifest', async () => {
  const stored = manifestKey(manifest.id);
  const change = (from: string, to: string) => async (path: PathOf) => {
    const text = await readFile(path(stored), 'utf8');
    expect(text).toContain(from);
    await writeFile(path(stored), text.replace(from, to));
  };
  const another = publicKeyOf(generateKeyPairSync('ed25519').privateKey);
  await refused((path) => rm(path(stored)), `There is no backup ${manifest.id}`);
  await refused(async (path) => writeFile(path(stored), '{'), 'Its manifest is damaged');
  await refused(
    async (path) => writeFile(path(stored), ' '.repeat(16 * 1024 * 1024 + 1)),
    'Its manifest is damaged',
  );
  await refused(change('\\"version\\":\\"0.1.0', '\\"version\\":\\"0.1.1'), 'changed after it was signed');
  await refused(change(publicKey, another), 'signed by another key');
});

test('a newer version, and one that never was', async () => {
  const newer = { ...manifest, migrations: [...manifest.migrations, { hash: 'x', at: 9e12 }] };
  await expect(refusedRestore(repository, newer)).rejects.toThrow('which is newer');
  const other = { ...manifest, migrations: [{ hash: 'x', at: 1 }] };
  await expect(refusedRestore(repository, other)).rejects.toThrow('does not know');
});

test('tables and columns that its version does not have', async () => {
  const [first] = manifest.tables;
  if (first === undefined) throw new Error('no table');
  const tables = manifest.tables.slice(1);
  const unknownTable = { ...manifest, tables: [{ ...first, name: 'pg_authid' }, ...tables] };
  const unknownColumn = {
    ...manifest,
    tables: [{ ...first, columns: [...first.columns, 'ctid'] }, ...tables],
  };
  for (const [of, sentence] of [
    [unknownTable, 'a table that is unknown here: pg_authid'],
    [unknownColumn, `a column that is unknown here: ${first.name}.ctid`],
  ] as const) {
    const before = await rowsOf(untouched.ownerUrl, manifest.tables);
    const dataDir = join(setting.folder, 'unknown');
    await expect(restoreInto(untouched, dataDir, { repository, manifest: of })).rejects.toThrow(sentence);
    expect(await rowsOf(untouched.ownerUrl, manifest.tables)).toEqual(before);
  }
});

test('an encrypted backup can be read by the identity alone', async () => {
  const identity = await generateIdentity();
  const recipient = await identityToRecipient(identity);
  const writing = setting.repositoryAt('encrypted', encryptionTo(recipient));
  const { manifest: encrypted } = await setting.backup(writing, { encryptedTo: recipient });

  const kept = await readdir(join(setting.folder, 'encrypted'), { recursive: true, withFileTypes: true });
  for (const entry of kept.filter((one) => one.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name));
    expect(bytes.includes('fire doors')).toBe(false);
  }
  const at = { dataDir: join(setting.folder, 'data'), databaseUrl: setting.database.appUrl };
  expect(await verifyBackup(setting.repositoryAt('encrypted'), encrypted, at)).toBe(false);
  const stranger = setting.repositoryAt('encrypted', decryptionWith(await generateIdentity()));
  await expect(refusedRestore(stranger, encrypted)).rejects.toThrow('is encrypted to another key');
  const own = setting.repositoryAt('encrypted', decryptionWith(await generateIdentity(), identity));
  expect(await checkBackup(own, encrypted, await readFileList(own, encrypted))).toEqual([]);
  // Stored files are recognised by the hashes in the list of files, although they cannot be decrypted here.
  expect(await setting.backup(writing, { encryptedTo: recipient })).toMatchObject({ newFiles: 0 });
});
