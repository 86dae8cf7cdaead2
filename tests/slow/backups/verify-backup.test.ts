import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withBackupLock } from '#server/features/backups/backup-lock.ts';
import type { Manifest } from '#server/features/backups/manifest.ts';
import type { Repository } from '#server/features/backups/parts.ts';
import { removeLeftScratch, verifyBackup } from '#server/features/backups/verify-backup.ts';
import { type BackupSetting, createBackupSetting } from '#tests/support/backups.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';

let setting: BackupSetting;
let repository: Repository;
let manifest: Manifest;
let at: { dataDir: string; databaseUrl: string };

beforeAll(async () => {
  setting = await createBackupSetting();
  await setting.uploadDocument('Doors.txt', Buffer.from('The fire doors'));
  repository = setting.repositoryAt('backups');
  ({ manifest } = await setting.backup(repository));
  at = { dataDir: join(setting.folder, 'data'), databaseUrl: setting.database.appUrl };
});
afterAll(() => setting.close());

test('two verifications at once follow each other, and leave nothing', async () => {
  const before = await readdir(at.dataDir);
  const onWait = vi.fn();
  const verify = () => verifyBackup(repository, manifest, { ...at, onWait });
  expect(await Promise.all([verify(), verify()])).toEqual([true, true]);
  expect(onWait).toHaveBeenCalledTimes(1);
  expect(await readdir(at.dataDir)).toEqual(before);
});

test('the remains of a killed one are removed at the start, unless another runs', async () => {
  const scratch = join(at.dataDir, 'backup-verification');
  await mkdir(join(scratch, 'postgres'), { recursive: true });
  await withBackupLock(at.databaseUrl, 'verification', {}, () =>
    removeLeftScratch(at.databaseUrl, at.dataDir),
  );
  expect(await readdir(at.dataDir)).toContain('backup-verification');
  await removeLeftScratch(at.databaseUrl, at.dataDir);
  expect(await readdir(at.dataDir)).not.toContain('backup-verification');
});

test('a log that ends elsewhere than the manifest says is found', async () => {
  const other = { ...manifest, log: { ...manifest.log, hash: 'f'.repeat(64) } };
  await expect(verifyBackup(repository, other, at)).rejects.toThrow('is not that of the manifest');
});

test('files that the installation has lost are missing from the list, and no others', async () => {
  await setting.uploadDocument('Lost.txt', Buffer.from('Gone'));
  const [lost] = await withLogin(
    setting.database.ownerUrl,
    (sql) => sql<{ key: string }[]>`select key from stored_files where bytes = 4`,
  );
  await setting.server.services.stores.disk.storage.delete(lost?.key ?? '');
  const { manifest: without } = await setting.backup(repository);
  expect(without.files).toMatchObject({ count: 1, lost: 1 });
  expect(await verifyBackup(repository, without, at)).toBe(true);
  const claiming = { ...without, files: { ...without.files, lost: 0 } };
  await expect(verifyBackup(repository, claiming, at)).rejects.toThrow('Its list of files lacks');
});

test('a lock that was lost with its connection is not taken for held', async () => {
  const attempt = withBackupLock(at.databaseUrl, 'backup', {}, async (assertHeld) => {
    await assertHeld();
    expect(await withBackupLock(at.databaseUrl, 'backup', { tries: 1 }, async () => 'mine')).toBeUndefined();
    await withLogin(
      setting.database.ownerUrl,
      (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'lintel backup' and datname = current_database()`,
    );
    await assertHeld();
  });
  await expect(attempt).rejects.toThrow(/terminat|CONNECTION_CLOSED|ECONNRESET/);
});
