import { useEffect } from 'react';
import { useSession } from '../features/session/session-context.ts';
import { readStored, writeStored } from '../lib/storage.ts';

const MARK = 'lintel.copies';

/** From now on this device may hold copies of what somebody may see. */
export function markCopies(): void {
  writeStored('local', MARK, 'kept');
}

/** When nobody is signed in any more, nothing is left on this device of what they could see. Shows nothing. */
export function ForgetCopies() {
  const { loading, unreachable, me } = useSession();
  const nobody = !loading && !unreachable && me === null;
  useEffect(() => {
    if (nobody && readStored('local', MARK) !== undefined) void forget();
  }, [nobody]);
  return null;
}

async function forget(): Promise<void> {
  try {
    const { theOffline } = await import('./the-offline.ts');
    await theOffline().copies.dropAll();
    writeStored('local', MARK, undefined);
  } catch {
    // The mark stays: it is tried again when the page is opened, and whoever signs in next drops them too.
  }
}
