import { cachesOf, readStored, writeStored } from '../../lib/storage.ts';
import { withTimeout } from '../../lib/time/with-timeout.ts';
import { createLock } from '../../offline/queue/leader.ts';
import { recordCameBack, writeSessionRecord } from './session-record.ts';

const KEY = 'lintel.signed-out';
/**
 * Cache whose existence is the mark. After a crash, a browser may restore local storage as it was seconds before, without
 * the mark.
 */
const CACHE = 'lintel-signed-out';
/** Maximum time that a storage operation is waited for. */
const MOST_WAIT_MS = 2_000;
/** Maximum time that the start of a session waits for another tab to end one. */
const TURN_MS = 25_000;

const lock = createLock('lintel-session');
let inCache = false;
let looking: Promise<void> | undefined;

/**
 * Returns whether a person has signed out on this device and the server has not ended the session yet (rule O15 of
 * web/offline).
 */
export function isSignedOutHere(): boolean {
  return inCache || readStored('local', KEY) !== undefined;
}

/**
 * Reads the mark from both storages, once, before the session starts; {@link isSignedOutHere} is synchronous from then
 * on.
 */
export function loadSignOutMark(): Promise<void> {
  looking ??= look();
  return looking;
}

async function look(): Promise<void> {
  const [marked, cameBack] = await Promise.all([
    orUndefined(cachesOf()?.has(CACHE)),
    orUndefined(recordCameBack()),
  ]);
  inCache = marked === true;
  if (cameBack === true) writeSessionRecord(undefined);
  // Restores the mark in the storage that lost it.
  if (isSignedOutHere()) await markSignedOut();
}

/**
 * Sets the mark in two storages; other tabs are notified at once.
 * @returns whether at least one storage accepted it
 */
export async function markSignedOut(): Promise<boolean> {
  writeStored('local', KEY, 'yes');
  const cache = await orUndefined(cachesOf()?.open(CACHE));
  inCache = cache !== undefined;
  return isSignedOutHere();
}

/** Removes the mark after the server has ended the session. */
export async function clearSignOut(): Promise<void> {
  await orUndefined(cachesOf()?.delete(CACHE));
  inCache = false;
  writeStored('local', KEY, undefined);
}

/**
 * Calls back when another tab has signed out, or the server has confirmed it.
 * @returns a function that stops watching
 */
export function watchSignOut(onChange: () => void): () => void {
  function onStorage({ key, newValue }: StorageEvent) {
    if (key !== KEY && key !== null) return;
    // The whole storage was cleared, which is not a confirmation by the server.
    if (key === null && inCache) writeStored('local', KEY, 'yes');
    else if (newValue === null) inCache = false;
    onChange();
  }
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/**
 * Serialises starting and ending sessions across tabs, so that the end of one session cannot use the cookie of the next.
 */
export async function withSessionLock<T>(work: () => Promise<T>): Promise<T> {
  let done: { result: T } | undefined;
  await lock.run(AbortSignal.timeout(TURN_MS), async () => {
    done = { result: await work() };
  });
  if (done === undefined) throw new Error('Another tab has been signing in or out for too long');
  return done.result;
}

/** Resolves with undefined when the operation fails or takes too long. */
async function orUndefined<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  return asked && withTimeout(MOST_WAIT_MS, asked).catch(() => undefined);
}
