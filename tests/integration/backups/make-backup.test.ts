import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBackup } from '#server/features/backups/check-backup.ts';
import { encryptionTo } from '#server/features/backups/encryption.ts';
import { readFileList } from '#server/features/backups/file-list.ts';
import type { Manifest } from '#server/features/backups/manifest.ts';
import type { Repository } from '#server/features/backups/parts.ts';
import {
  type BackupSetting,
  createBackupSetting,
  downloadDocument,
  PART_BYTES,
  restoreInto,
  withRestored,
} from '#tests/support/backups.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';

const BYTES = Buffer.from('The fire doors of the third floor. '.repeat(100));

let setting: BackupSetting;
let repository: Repository;

beforeAll(async () => {
  setting = await createBackupSetting();
  await setting.uploadDocument('Doors.txt', BYTES);
  repository = setting.repositoryAt('backups');
});
afterAll(() => setting.close());

/** The keys of damaged files of a backup. */
async function damagedOf(of: Manifest, from: Repository = repository): Promise<string[]> {
  const files = await readFileList(from, of);
  return (await checkBackup(from, of, files)).map(({ key }) => key);
}

test('a second backup writes only the files that are new', async () => {
  const names = async () =>
    (await readdir(join(setting.folder, 'backups', 'backup-files'), { recursive: true })).sort();
  const first = await setting.backup(repository);
  expect(first).toMatchObject({ newFiles: 1, newBytes: BYTES.byteLength });
  const before = await names();
  const second = await setting.backup(repository);
  expect(second).toMatchObject({ newFiles: 0, newBytes: 0 });
  expect(second.manifest.files.count).toBe(first.manifest.files.count);
  expect(await names()).toEqual(before);
  const bytes = Buffer.from('Another');
  await setting.uploadDocument('Other.txt', bytes);
  expect(await setting.backup(repository)).toMatchObject({ newFiles: 1, newBytes: bytes.byteLength });
});

test('a backup that ends in the middle is none, and its half files are not taken for whole ones', async () => {
  const broken = setting.repositoryAt('broken');
  let writes = 0;
  const failing: Repository = {
    ...broken,
    storage: {
      ...broken.storage,
      async put(key, source, options) {
        if (key.startsWith('backup-files/')) writes += 1;
        if (writes === 3) throw new Error('pulled');
        return broken.storage.put(key, source, options);
      },
    },
  };
  await expect(setting.backup(failing)).rejects.toThrow('pulled');
  expect((await broken.storage.list('backups/')).files).toEqual([]);
  expect((await broken.storage.list('backup-files/')).files).toHaveLength(2);
  const { manifest } = await setting.backup(broken);
  expect(await damagedOf(manifest, broken)).toEqual([]);
});

test('an aborted backup ends soon, and leaves none', async () => {
  const stopped = setting.repositoryAt('stopped');
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
  await expect(setting.backup(aborting)).rejects.toThrow('aborted');
  expect((await stopped.storage.list('backups/')).files).toEqual([]);
});

test('a damaged file is stored once more when the verification has found damage, and a restore can do without', async () => {
  const { manifest: before } = await setting.backup(repository);
  const doors = (await readFileList(repository, before)).find(({ bytes }) => bytes === BYTES.byteLength);
  const [part] = doors?.parts ?? [];
  const path = join(setting.folder, 'backups', ...(part?.key ?? '').split('/'));
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill('x', 0, 1));
  expect(await damagedOf(before)).toEqual([doors?.key]);

  // Stored files are read again only after a failed verification.
  expect(await setting.backup(repository)).toMatchObject({ newFiles: 0 });
  const { manifest: repaired, ...numbers } = await setting.backup(repository, { rereads: true });
  expect(numbers).toMatchObject({ newFiles: 1, newBytes: BYTES.byteLength });
  expect(await damagedOf(repaired)).toEqual([]);
  expect(await setting.backup(repository, { rereads: true })).toMatchObject({ newFiles: 0 });

  await expect(
    restoreInto(setting.database, join(setting.folder, 'unused'), { repository, manifest: before }),
  ).rejects.toThrow('Lintel is running');
  await withRestored(setting, { repository, manifest: before, skipDamaged: true }, async (other) => {
    expect(other.damaged.map(({ key }) => key)).toEqual([doors?.key]);
    expect((await downloadDocument(setting, other.server, 'Doors.txt')).status).toBe(404);
    expect((await downloadDocument(setting, other.server, 'Other.txt')).bytes.toString()).toBe('Another');
  });
});

test('a file that the installation has lost is counted, and the rest is backed up', async () => {
  await setting.uploadDocument('Lost.txt', Buffer.from('Gone'));
  const [lost] = await withLogin(
    setting.database.ownerUrl,
    (sql) => sql<{ key: string }[]>`select key from stored_files where bytes = 4`,
  );
  await setting.server.services.stores.disk.storage.delete(lost?.key ?? '');
  const { manifest } = await setting.backup(repository);
  expect(manifest.files).toMatchObject({ count: 2, lost: 1 });
});

test('files of several parts', async () => {
  const bytes = Buffer.alloc(PART_BYTES * 3 + 1, 'A file of four parts');
  await setting.uploadDocument('Long.txt', bytes);
  const { manifest } = await setting.backup(repository);
  const files = await readFileList(repository, manifest);
  expect(files.find((file) => file.bytes === bytes.byteLength)?.parts).toHaveLength(4);
});

test('a change of the signing key spoils no earlier backup, encrypted or not', async () => {
  const recipient = await identityToRecipient(await generateIdentity());
  const encrypting = setting.repositoryAt('rotated', encryptionTo(recipient));
  for (const [to, encryptedTo] of [
    [encrypting, recipient],
    [setting.repositoryAt('rotated-plain'), null],
  ] as const) {
    const reading = { ...to, cipher: undefined };
    const { manifest: before } = await setting.backup(to, { encryptedTo });
    const { privateKey: signingKey } = generateKeyPairSync('ed25519');
    const { manifest: after } = await setting.backup(to, { encryptedTo, signingKey });
    expect(await damagedOf(before, reading)).toEqual([]);
    expect(await damagedOf(after, reading)).toEqual([]);
    // From then on, the objects of the new key are used again.
    expect(await setting.backup(to, { encryptedTo, signingKey })).toMatchObject({ newFiles: 0 });
  }
});
