import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import type { Storage } from '#server/adapters/storage/storage.ts';
import { formatFileList } from '#server/features/backups/file-list.ts';
import { FORMAT, type Manifest, signManifest } from '#server/features/backups/manifest.ts';
import {
  fileKey,
  fileListKey,
  manifestKey,
  newBackupId,
  tableKey,
} from '#server/features/backups/object-keys.ts';
import type { StoredPart } from '#server/features/backups/parts.ts';
import {
  listBackups,
  loadManifest,
  newestBackup,
  pruneBackups,
} from '#server/features/backups/stored-backups.ts';
import { DAY_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';

const NOW = new Date('2026-11-27T13:30:00.000Z');
const { privateKey } = generateKeyPairSync('ed25519');
const publicKey = publicKeyOf(privateKey);

let folder: string;
let storage: Storage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-stored-'));
  storage = diskStorage(folder);
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes an object that seems to be this number of days old. */
async function put(key: string, source: Readable | string, daysOld = 10): Promise<StoredPart> {
  const stream = typeof source === 'string' ? Readable.from([Buffer.from(source)]) : source;
  const { bytes, sha256 } = await storage.put(key, stream, { maxBytes: 1_000_000 });
  const at = new Date(NOW.getTime() - daysOld * DAY_MS);
  await utimes(join(folder, ...key.split('/')), at, at);
  return { key, bytes, sha256 };
}

/** Stores a file as a backup does. */
async function putFile(text: string, daysOld?: number): Promise<StoredPart> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return put(fileKey(sha256, null), text, daysOld);
}

/** Writes a backup of this number of days ago, which refers to these files. @returns its id */
async function backup(
  daysAgo: number,
  objects: readonly StoredPart[] = [],
  { key = privateKey, installation = 'ours' }: { key?: KeyObject; installation?: string } = {},
): Promise<string> {
  const at = new Date(NOW.getTime() - daysAgo * DAY_MS);
  const id = newBackupId(at);
  const files = objects.map((part) => {
    const { sha256, bytes } = part;
    return { sha256, bytes, key: `documents/${sha256}`, parts: [part] };
  });
  const manifest: Manifest = {
    format: FORMAT,
    id,
    installation,
    version: '0.1.0',
    at: at.toISOString(),
    migrations: [],
    tables: [],
    databaseBytes: 0,
    sequences: [],
    log: { epoch: uuidv7(), g: 0, hash: null },
    files: {
      parts: [await put(fileListKey(id), formatFileList(files))],
      count: files.length,
      total: files.length,
      lost: 0,
    },
    encryptedTo: null,
  };
  await put(manifestKey(id), signManifest(manifest, key));
  return id;
}

const idsOf = async () => (await listBackups({ storage })).map(({ id }) => id);
const isThere = async ({ key }: StoredPart) => (await storage.head(key)) !== undefined;
const prune = () => pruneBackups({ storage, cipher: undefined }, { publicKey, installation: 'ours' }, NOW);

test('deletes what is not kept any more, with the files that no other backup names', async () => {
  const [shared, old] = [await putFile('shared'), await putFile('old')];
  const ids: string[] = [];
  // Two backups are of one day: the older of them is not kept.
  for (const daysAgo of [0, 0.1, 1])
    ids.push(await backup(daysAgo, daysAgo === 0.1 ? [shared, old] : [shared]));
  expect(await prune()).toEqual([ids[1]]);
  expect(await idsOf()).toEqual([ids[0], ids[2]]);
  expect([await isThere(shared), await isThere(old)]).toEqual([true, false]);
  expect((await storage.list(`backups/${ids[1]}/`)).files).toEqual([]);
});

test('leaves what a backup that is being made has written, and deletes it when it is old', async () => {
  const young = await putFile('young', 1);
  await backup(0);
  await backup(0.1);
  const [newer, older] = [newBackupId(NOW), newBackupId(NOW)];
  await put(tableKey(newer, 'issues'), 'rows', 1);
  await put(tableKey(older, 'issues'), 'rows', 3);
  await prune();
  expect(await isThere(young)).toBe(true);
  const { files } = await storage.list('backups/');
  expect(files.map(({ key }) => key).filter((key) => key.includes('tables'))).toEqual([
    tableKey(newer, 'issues'),
  ]);
});

test('deletes no file while a backup cannot be read, or is signed by another key', async () => {
  const old = await putFile('old');
  const { privateKey: another } = generateKeyPairSync('ed25519');
  const theirs = await backup(0.2, [old], { key: another });
  const ids = [await backup(0), await backup(0.1)];
  expect(await prune()).toEqual([ids[1]]);
  expect(await idsOf()).toEqual([ids[0], theirs]);
  expect(await isThere(old)).toBe(true);
});

test('deletes no file while the list of a backup is missing', async () => {
  const old = await putFile('old');
  const ids = [await backup(0), await backup(0.1, [old])];
  await storage.delete(fileListKey(ids[0] ?? ''));
  expect(await prune()).toEqual([ids[1]]);
  expect(await isThere(old)).toBe(true);
});

test('another installation’s backups are left alone, although the same key signed them', async () => {
  const theirs = await putFile('theirs');
  const ids: string[] = [];
  for (const daysAgo of [0.2, 0.3]) ids.push(await backup(daysAgo, [theirs], { installation: 'theirs' }));
  const own = [await backup(0), await backup(0.1)];
  expect(await prune()).toEqual([own[1]]);
  expect(await idsOf()).toEqual([own[0], ...ids]);
  expect(await isThere(theirs)).toBe(true);
});

test('objects that are none of a backup are never deleted', async () => {
  const foreign = [
    'backups/readme.txt',
    'backups/2019/accounts.xlsx',
    'backups/20190101T000000Z-00000000/notes.txt',
    'backup-files/plain/keep.txt',
    'backup-files/plain/ab/short',
    'backup-files/keys.txt',
    'photos/roof.jpg',
  ];
  for (const key of foreign) await put(key, 'mine', 1_000);
  await backup(0);
  await backup(0.1);
  await prune();
  for (const key of foreign) expect(await storage.head(key), key).toBeDefined();
});

test('a manifest at the place of another is refused', async () => {
  const [newer, older] = [await backup(0), await backup(1)];
  const opened = await storage.get(manifestKey(older));
  await storage.delete(manifestKey(newer));
  await put(manifestKey(newer), opened?.stream ?? '');
  await expect(loadManifest({ storage }, newer)).rejects.toThrow(`is that of ${older}`);
});

test('an older backup never takes the place of a newer one that cannot be read', async () => {
  const find = (expectedKey?: string) => newestBackup({ storage }, { expectedKey, now: NOW });
  await expect(find()).rejects.toThrow('The repository contains no backup.');
  const { privateKey: another } = generateKeyPairSync('ed25519');
  await backup(3, [], { key: another });
  const older = await backup(2);
  // The older backup was made with an earlier key.
  expect((await find(publicKey)).id).toBe(older);
  const newer = await backup(1);
  expect((await find(publicKey)).id).toBe(newer);
  await storage.delete(manifestKey(newer));
  await put(manifestKey(newer), 'spoilt');
  await expect(find(publicKey)).rejects.toThrow(
    `${newer}: Its manifest is damaged. The newest that can be read is ${older}.`,
  );
  const newest = await backup(0.5);
  expect((await find(publicKey)).id).toBe(newest);
  // A backup made while the clock was ahead.
  await backup(-30);
  expect((await find(publicKey)).id).toBe(newest);
});
