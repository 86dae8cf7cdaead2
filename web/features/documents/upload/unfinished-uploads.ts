import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { writeStored } from '../../../lib/storage.ts';
import { presentTime } from '../../../lib/time/present-time.ts';
import type { Upload } from './upload-types.ts';
import { UPLOADS_MARK } from './uploads-wanted.ts';

/** The data needed to resume an upload that was begun and has not ended, without the bytes of the file. */
export type UnfinishedUpload = Pick<
  Upload,
  'id' | 'target' | 'name' | 'bytes' | 'lastModified' | 'onSameName'
> & { userId: string; begunAt: number };

type Schema = DBSchema & {
  unfinished: { key: [userId: string, id: string]; value: UnfinishedUpload; indexes: { user: string } };
};

/** The server deletes an unfinished upload after seven days. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const LOCK = 'lintel.upload.';

let database: Promise<IDBPDatabase<Schema>> | undefined;
/** Functions that release the locks of this page's uploads, by upload id. */
const holds = new Map<string, () => void>();

function open(): Promise<IDBPDatabase<Schema>> {
  database ??= openDB<Schema>('lintel-uploads', 1, {
    upgrade: (db) => {
      db.createObjectStore('unfinished', { keyPath: ['userId', 'id'] }).createIndex('user', 'userId');
    },
  });
  return database;
}

/**
 * Stores the record of an upload of this person, and takes the lock that shows that this page works on it. In a browser
 * that forbids storage, an upload cannot be resumed after a reload; everything else works.
 */
export async function rememberUpload(userId: string, upload: Upload): Promise<void> {
  const { id, target, name, bytes, lastModified, onSameName } = upload;
  hold(id);
  writeStored('local', UPLOADS_MARK, 'yes');
  const row = { userId, id, target, name, bytes, lastModified, onSameName, begunAt: presentTime() };
  await open()
    .then((db) => db.put('unfinished', row))
    .catch(() => undefined);
}

export async function forgetUpload(userId: string, id: string): Promise<void> {
  letGo(id);
  await open()
    .then((db) => db.delete('unfinished', [userId, id]))
    .catch(() => undefined);
}

/** Returns the person's unfinished uploads that no open page works on, oldest first. */
export async function unfinishedUploads(userId: string): Promise<UnfinishedUpload[]> {
  try {
    const db = await open();
    const [rows, held] = [await db.getAllFromIndex('unfinished', 'user', userId), await heldLocks()];
    for (const { id, begunAt } of rows)
      if (presentTime() - begunAt > KEPT_MS) await db.delete('unfinished', [userId, id]);
    const left = rows.filter(({ begunAt }) => presentTime() - begunAt <= KEPT_MS);
    if ((await db.count('unfinished')) === 0) writeStored('local', UPLOADS_MARK, undefined);
    return left
      .filter(({ id }) => !holds.has(id) && !held.has(LOCK + id))
      .sort((a, b) => a.begunAt - b.begunAt);
  } catch {
    return [];
  }
}

/** Releases all locks. Called when this page's uploads are stopped. */
export function releaseAllLocks(): void {
  for (const id of [...holds.keys()]) letGo(id);
}

/** Takes a lock by which other pages see that this page works on the upload. The lock ends with the page at the latest. */
function hold(id: string): void {
  if (holds.has(id)) return;
  const until = new Promise<void>((resolve) => holds.set(id, resolve));
  void locksOf()?.request(LOCK + id, () => until);
}

function letGo(id: string): void {
  holds.get(id)?.();
  holds.delete(id);
}

async function heldLocks(): Promise<Set<string | undefined>> {
  const { held = [] } = (await locksOf()?.query()) ?? {};
  return new Set(held.map(({ name }) => name));
}

/** Returns the lock manager; undefined in pages not loaded over https, although its type is never undefined. */
function locksOf(): LockManager | undefined {
  return globalThis.navigator.locks;
}
