import { useEffect } from 'react';
import { uploadsWanted } from '../features/documents/upload/uploads-wanted.ts';
import { useSession } from '../features/session/session-context.ts';

/** Ends the uploads of this page once no one is signed in any more. Renders nothing. */
export function EndUploads() {
  const { loading, unreachable, me } = useSession();
  const signedOut = !loading && !unreachable && me === null;
  useEffect(() => {
    if (signedOut) uploadsWanted.end();
  }, [signedOut]);
  return null;
}
