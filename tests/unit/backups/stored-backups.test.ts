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
import { fileKey, fileListKey, manifestKey } from '#server/features/backups/object-keys.ts';
import type { StoredPart } from '#server/features/backups/parts.ts';
import { listBackups, loadManifest, pruneBackups } from '#server/features/backups/stored-backups.ts';
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

/** Writes an object that seems to be so many days old. */
async function put(key: string, source: Readable | string, daysOld = 10): Promise<StoredPart> {
  const stream = typeof source === 'string' ? Readable.from([Buffer.from(source)]) : source;
  const { bytes, sha256 } = await storage.put(key, stream, { maxBytes: 1_000_000 });
  const at = new Date(NOW.getTime() - daysOld * DAY_MS);
  await utimes(join(folder, ...key.split('/')), at, at);
  return { key, bytes, sha256 };
}

/** Writes a file as backups keep it. @returns its hash */
async function putFile(text: string, daysOld?: number): Promise<string> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  await put(fileKey(sha256, null), text, daysOld);
  return sha256;
}

/** Writes a backup of so many days ago that names the files with these hashes. @returns its id */
async function backup(
  daysAgo: number,
  hashes: readonly string[] = [],
  key: KeyObject = privateKey,
): Promise<string> {
  const at = new Date(NOW.getTime() - daysAgo * DAY_MS).toISOString();
  const id = at.replace(/[-:.]/g, '');
  const files = hashes.map((sha256) => ({ sha256, bytes: 1, key: `documents/${sha256}` }));
  const manifest: Manifest = {
    format: FORMAT,
    id,
    version: '0.1.0',
    at,
    migrations: [],
    tables: [],
    databaseBytes: 0,
    sequences: [],
    log: { epoch: uuidv7(), g: 0, hash: null },
    files: {
      parts: [await put(fileListKey(id), formatFileList(files))],
      count: files.length,
      total: files.length,
    },
    encryptedTo: null,
  };
  await put(manifestKey(id), signManifest(manifest, key));
  return id;
}

const idsOf = async () => (await listBackups({ storage })).map(({ id }) => id);
const isThere = async (sha256: string) => (await storage.head(fileKey(sha256, null))) !== undefined;
const prune = () => pruneBackups({ storage, cipher: undefined }, publicKey, NOW);

test('deletes what is not kept any more, with the files that no other backup names', async () => {
  const [shared, old] = [await putFile('shared'), await putFile('old')];
  const ids: string[] = [];
  // Two on one day: the older of them is not kept.
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
  await put('backups/young/tables/issues.copy.gz', 'rows', 1);
  await put('backups/old/tables/issues.copy.gz', 'rows', 3);
  await prune();
  expect(await isThere(young)).toBe(true);
  const { files } = await storage.list('backups/');
  expect(files.map(({ key }) => key).filter((key) => key.includes('tables'))).toEqual([
    'backups/young/tables/issues.copy.gz',
  ]);
});

test('deletes no file while a backup cannot be read, or is another installation’s', async () => {
  const old = await putFile('old');
  const { privateKey: another } = generateKeyPairSync('ed25519');
  const theirs = await backup(0.2, [old], another);
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

test('a manifest at the repository of another is refused', async () => {
  const [newer, older] = [await backup(0), await backup(1)];
  const opened = await storage.get(manifestKey(older));
  await storage.delete(manifestKey(newer));
  await put(manifestKey(newer), opened?.stream ?? '');
  await expect(loadManifest({ storage }, newer)).rejects.toThrow(`is that of ${older}`);
});
