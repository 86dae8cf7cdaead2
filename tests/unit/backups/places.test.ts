import { expect, test } from 'vitest';
import { openPlace } from '#server/features/backups/places.ts';

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
    expect(openPlace(to, env)).toHaveProperty('put');
  },
);

test.each([
  ['', 'Where?'],
  [undefined, 'Where?'],
  ['s3://Bucket/folder', 'neither a folder nor an address'],
  ['ftp://backup.example.com', 'neither a folder nor an address'],
  // Deleting what no backup names would delete the installation's own files.
  ['/var/lib/lintel', 'is in DATA_DIR'],
  ['/var/lib/lintel/files', 'is in DATA_DIR'],
  ['/var/lib/other/../lintel/backups', 'is in DATA_DIR'],
  ['s3://documents', 'the bucket of the files themselves'],
])('refuses %s', (to, sentence) => {
  expect(() => openPlace(to, env)).toThrow(sentence);
});

test('refuses a bucket without a service', () => {
  expect(() => openPlace('s3://lintel-backups', { dataDir: '/var/lib/lintel' })).toThrow('they are not set');
});
