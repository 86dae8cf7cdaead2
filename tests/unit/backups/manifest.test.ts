import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { FORMAT, type Manifest, readManifest, signManifest } from '#server/features/backups/manifest.ts';
import { fileListKey, newBackupId, tableKey } from '#server/features/backups/object-keys.ts';
import { uuidv7 } from '#shared/ids.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const ID = newBackupId(new Date('2026-11-27T01:30:00Z'));
const part = (key: string) => ({ key, bytes: 1, sha256: 'a'.repeat(64) });
const MANIFEST: Manifest = {
  format: FORMAT,
  id: ID,
  installation: 'harbour',
  version: '0.1.0',
  at: '2026-11-27T01:30:00.000Z',
  migrations: [],
  tables: [{ name: 'issues', columns: ['id', 'title'], rows: 1, parts: [part(tableKey(ID, 'issues'))] }],
  databaseBytes: 1,
  sequences: [{ name: 'events_g_seq', value: '1' }],
  log: { epoch: uuidv7(), g: 0, hash: null },
  files: { parts: [part(fileListKey(ID))], count: 0, total: 0, lost: 0 },
  encryptedTo: null,
};
const [TABLE] = MANIFEST.tables;

test('reads what was signed', () => {
  expect(readManifest(signManifest(MANIFEST, privateKey), publicKeyOf(privateKey))).toEqual(MANIFEST);
});

// With a stolen signing key, any manifest can be signed. Its names become part of SQL, and its object keys are read.
test.each([
  ['a table', { tables: [{ ...TABLE, name: 'issues"; drop table profiles; --' }] }],
  ['a column', { tables: [{ ...TABLE, columns: [`id") from program 'touch /tmp/owned' --`] }] }],
  ['no column', { tables: [{ ...TABLE, columns: [] }] }],
  ['a sequence', { sequences: [{ name: `x', 1); drop table profiles; --`, value: '1' }] }],
  ['a value of a sequence', { sequences: [{ name: 'x', value: '1); drop table profiles' }] }],
  [
    'an object of another backup',
    { tables: [{ ...TABLE, parts: [part(tableKey(newBackupId(new Date()), 'issues'))] }] },
  ],
  ['an object outside', { tables: [{ ...TABLE, parts: [part('../../etc/passwd')] }] }],
  ['another list', { files: { ...MANIFEST.files, parts: [part('backup-files/plain/list')] } }],
  ['an id that is a path', { id: '../secret' }],
  ['a negative size', { databaseBytes: -1 }],
])('refuses %s that no backup has, although it is signed', (_what, change) => {
  const signed = signManifest({ ...MANIFEST, ...change } as Manifest, privateKey);
  expect(() => readManifest(signed)).toThrow('Its manifest is not one of a backup.');
});

test('says of a newer format which version is needed', () => {
  const signed = signManifest({ ...MANIFEST, format: FORMAT + 1 }, privateKey);
  expect(() => readManifest(signed)).toThrow('a newer version of Lintel');
});
