import { useEffect } from 'react';
import { api } from '../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { SteadyClock } from '../../live/stream/steady-clock.ts';
import { renewSessionRecord } from './session-record.ts';

const LOOK_EVERY_MS = 30_000;
/** Time for which one renewal extends the session. */
const WINDOW_MS = 15 * 60_000;
const REMAINING_MS = 90_000;

/** Renews the session while signed in: checks every 30 s, and renews once 90 s or less of the window remain. */
export function useRenewal(signedIn: boolean, onEnded: () => void): void {
  useEffect(() => {
    if (!signedIn) return;
    const clock = new SteadyClock();
    let windowEnds = clock.now() + WINDOW_MS;
    const timer = setInterval(() => {
      if (windowEnds - clock.now() > REMAINING_MS) return;
      api.session.touch.mutate({}).then(
        ({ sessionExpiresAt }) => {
          renewSessionRecord(sessionExpiresAt);
          windowEnds = clock.now() + WINDOW_MS;
        },
        (error: unknown) => {
          // Other errors are temporary; the next check tries again.
          if (wireErrorOf(error)?.code === 'unauthenticated') onEnded();
        },
      );
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [signedIn, onEnded]);
}
