import { expect, test } from 'vitest';
import { openRepository } from '#server/features/backups/repository.ts';

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
  // Deleting what no backup names would delete the installation's own files.
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
