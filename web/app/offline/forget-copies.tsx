import { useEffect } from 'react';
import { useSession } from '../../features/session/session-context.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

const MARK = 'lintel.copies';
/** The longest time for which signing out waits for a database that does not open. */
const MOST_WAIT_MS = 5_000;

/** Set while this page may have stored copies, even if another tab has removed the stored mark. */
let marked = false;

/** Records that this device may contain copies of data that a signed-in person may see. */
export function markCopies(): void {
  marked = true;
  writeStored('local', MARK, 'kept');
}

/** Removes all copies from this device once no one is signed in any more. Renders nothing. */
export function ForgetCopies() {
  const { loading, unreachable, me } = useSession();
  const signedOut = !loading && !unreachable && me === null;
  useEffect(() => {
    if (signedOut) void forgetCopies();
  }, [signedOut]);
  return null;
}

/** Removes the copies from the database and its mirror; no new copies are stored until a person signs in. Never rejects. */
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
    // The mark stays, so the removal is tried again when the page is next opened; the next sign-in also removes the copies.
  }
}
