import { useEffect } from 'react';
import { useSession } from '../features/session/session-context.ts';
import { readStored, writeStored } from '../lib/storage.ts';

const MARK = 'lintel.copies';
/** A database that does not open keeps nobody signed in for longer. */
const MOST_WAIT_MS = 5_000;

/** This page has copies of its own to forget, whatever another tab has removed. */
let marked = false;

/** From now on this device may hold copies of what somebody may see. */
export function markCopies(): void {
  marked = true;
  writeStored('local', MARK, 'kept');
}

/** When nobody is signed in any more, nothing is left on this device of what they could see. Shows nothing. */
export function ForgetCopies() {
  const { loading, unreachable, me } = useSession();
  const nobody = !loading && !unreachable && me === null;
  useEffect(() => {
    if (nobody) void forgetCopies();
  }, [nobody]);
  return null;
}

/** Removes them from both storages, and keeps none until somebody is signed in. Never rejects. */
export async function forgetCopies(): Promise<void> {
  if (!marked && readStored('local', MARK) === undefined) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MOST_WAIT_MS);
  });
  await Promise.race([forget(), late]);
  clearTimeout(timer);
}

async function forget(): Promise<void> {
  try {
    const { getOffline } = await import('./offline-instance.ts');
    await getOffline().copies.dropAll();
    marked = false;
    writeStored('local', MARK, undefined);
  } catch {
    // The mark stays: it is tried again when the page is opened, and whoever signs in next drops them too.
  }
}
