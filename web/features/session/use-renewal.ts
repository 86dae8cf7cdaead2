import { useEffect } from 'react';
import { api } from '../../lib/trpc.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { renewSessionRecord } from './session-record.ts';

const LOOK_EVERY_MS = 30_000;
/** A session slides when it is touched; one touch lasts this long. */
const WINDOW_MS = 15 * 60_000;
const REMAINING_MS = 90_000;

/** While somebody is signed in: looks every 30 s, and renews when 90 s or less of the window remain. */
export function useRenewal(signedIn: boolean, onEnded: () => void): void {
  useEffect(() => {
    if (!signedIn) return;
    let windowEnds = Date.now() + WINDOW_MS;
    const timer = setInterval(() => {
      if (windowEnds - Date.now() > REMAINING_MS) return;
      api.session.touch.mutate({}).then(
        ({ sessionExpiresAt }) => {
          renewSessionRecord(sessionExpiresAt);
          windowEnds = Date.now() + WINDOW_MS;
        },
        (error: unknown) => {
          // Anything but a refusal is a bad moment: the next look tries again.
          if (wireErrorOf(error)?.code === 'unauthenticated') onEnded();
        },
      );
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [signedIn, onEnded]);
}
