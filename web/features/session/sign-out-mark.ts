import { cachesOf, readStored, writeStored } from '../../lib/storage.ts';
import { createLock } from '../../offline/leader.ts';
import { recordCameBack, writeSessionRecord } from './session-record.ts';

const KEY = 'lintel.signed-out';
/** The mark is that this cache is there. A browser that is killed writes back local storage of some seconds before. */
const CACHE = 'lintel-signed-out';
/** A storage that does not answer holds nobody up for longer. */
const MOST_WAIT_MS = 2_000;
/** So long a session that begins waits for one that is being ended in another tab. */
const TURN_MS = 25_000;

const lock = createLock('lintel-session');
let inCache = false;
let looking: Promise<void> | undefined;

/** Has someone signed out on this device whose session the server has not ended yet (rule O15 of web/offline)? */
export function isSignedOutHere(): boolean {
  return inCache || readStored('local', KEY) !== undefined;
}

/** Looks into both places, once, before anybody is let in; {@link isSignedOutHere} knows it from then on. */
export function loadSignOutMark(): Promise<void> {
  looking ??= look();
  return looking;
}

async function look(): Promise<void> {
  const [marked, cameBack] = await Promise.all([inTime(cachesOf()?.has(CACHE)), inTime(recordCameBack())]);
  inCache = marked === true;
  if (cameBack === true) writeSessionRecord(undefined);
  // Whichever of the two was lost is there again.
  if (isSignedOutHere()) await markSignedOut();
}

/**
 * Marks this device, in two storages. The other tabs hear of it at once.
 * @returns whether at least one of them took it
 */
export async function markSignedOut(): Promise<boolean> {
  writeStored('local', KEY, 'yes');
  const cache = await inTime(cachesOf()?.open(CACHE));
  inCache = cache !== undefined;
  return isSignedOutHere();
}

/** The server has ended the session. */
export async function clearSignOut(): Promise<void> {
  await inTime(cachesOf()?.delete(CACHE));
  inCache = false;
  writeStored('local', KEY, undefined);
}

/** Calls back when another tab has signed out, or the server has answered it. */
export function watchSignOut(onChange: () => void): () => void {
  function onStorage({ key, newValue }: StorageEvent) {
    if (key !== KEY && key !== null) return;
    // All of the storage was cleared, which is no answer of the server's.
    if (key === null && inCache) writeStored('local', KEY, 'yes');
    else if (newValue === null) inCache = false;
    onChange();
  }
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/** One session begins or ends at a time in this browser: the end of one must not meet the cookie of the next. */
export async function withSessionLock<T>(work: () => Promise<T>): Promise<T> {
  let done: { result: T } | undefined;
  await lock.run(AbortSignal.timeout(TURN_MS), async () => {
    done = { result: await work() };
  });
  if (done === undefined) throw new Error('Another tab has been signing in or out for too long');
  return done.result;
}

/** Undefined where it fails, or takes too long. */
async function inTime<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MOST_WAIT_MS);
  });
  try {
    return await Promise.race([asked, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
