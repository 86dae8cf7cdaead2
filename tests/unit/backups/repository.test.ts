import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { claimRepository, openRepository, repositoryName } from '#server/features/backups/repository.ts';

const s3Access = {
  endpoint: 'https://s3.example.com',
  region: 'eu',
  accessKeyId: 'key',
  secretAccessKey: 's',
};
const env = { dataDir: '/var/lib/lintel', s3Access, s3: { ...s3Access, bucket: 'documents' } };

test.each(['/mnt/backup', '/var/lib/lintel-backups', 's3://lintel-backups', 's3://lintel-backups/'])(
  'takes %s',
  (to) => {
    expect(openRepository(to, env)).toHaveProperty('put');
  },
);

test.each([
  ['', 'Name a folder or s3'],
  [undefined, 'Name a folder or s3'],
  ['s3://Bucket/folder', 'neither a folder nor s3'],
  ['ftp://backup.example.com', 'neither a folder nor s3'],
  // The deletion of objects that no backup names would delete the installation's own files.
  ['/var/lib/lintel', 'is inside DATA_DIR'],
  ['/var/lib/lintel/files', 'is inside DATA_DIR'],
  ['/var/lib/other/../lintel/backups', 'is inside DATA_DIR'],
  ['s3://documents', 'the bucket of the documents'],
])('refuses %s', (to, sentence) => {
  expect(() => openRepository(to, env)).toThrow(sentence);
});

test('refuses a bucket without a service', () => {
  expect(() => openRepository('s3://lintel-backups', { dataDir: '/var/lib/lintel' })).toThrow(
    'which are not set',
  );
});

const folder = mkdtempSync(join(tmpdir(), 'lintel-repository-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('follows links to DATA_DIR, and refuses what contains it', () => {
  const dataDir = join(folder, 'srv', 'lintel', 'data');
  mkdirSync(dataDir, { recursive: true });
  symlinkSync(dataDir, join(folder, 'link'));
  symlinkSync(join(folder, 'srv'), join(folder, 'outer'));
  const at = (dataDirOf: string) => ({ dataDir: dataDirOf });
  for (const inside of ['link', 'link/backups', 'outer/lintel/data/x']) {
    expect(() => openRepository(join(folder, inside), at(dataDir)), inside).toThrow('is inside DATA_DIR');
  }
  for (const outside of ['', 'srv', 'outer', 'outer/lintel']) {
    expect(() => openRepository(join(folder, outside), at(dataDir)), outside).toThrow('contains DATA_DIR');
  }
  expect(() => openRepository('/', at(dataDir))).toThrow('contains DATA_DIR');
  expect(() => openRepository(dataDir, at(join(folder, 'link')))).toThrow('is inside DATA_DIR');
  expect(openRepository(join(folder, 'outer', 'backups'), at(dataDir))).toHaveProperty('put');
});

test('one repository has one name', () => {
  expect(repositoryName('s3://lintel-backups/')).toBe('s3://lintel-backups');
  expect(repositoryName('/mnt/../mnt/backup/')).toBe('/mnt/backup');
});

test('a repository belongs to the installation that used it first', async () => {
  const storage = diskStorage(join(folder, 'claimed'));
  await claimRepository(storage, { installation: 'one', hasBackups: false });
  await claimRepository(storage, { installation: 'one', hasBackups: true });
  await expect(claimRepository(storage, { installation: 'two', hasBackups: false })).rejects.toThrow(
    'belongs to another installation',
  );
});

test('an empty folder in which backups were made is not taken for the repository', async () => {
  const unmounted = diskStorage(join(folder, 'unmounted'));
  await expect(claimRepository(unmounted, { installation: 'one', hasBackups: true })).rejects.toThrow(
    'is the disk of the repository mounted?',
  );
});
