import { useEffect } from 'react';
import { uuidv7 } from '#shared/ids.ts';
import type { LiveEntity } from '#shared/live-entities.ts';
import { useLive } from './live-context.tsx';

/** Said again this often, so that whoever is gone without a word is soon taken for gone. */
const AGAIN_MS = 20_000;
/** All who are there answer a newcomer, but not all at once. */
const ANSWER_MS = 400;

/** For as long as this is on screen, the others know that this window has the row open. */
export function useAnnouncePresence(
  entity: LiveEntity,
  id: string,
  tell: (input: { id: string; window: string; here: boolean }) => Promise<unknown>,
): void {
  const live = useLive();
  useEffect(() => {
    const window = uuidv7();
    // Where it is lost nobody is worse off: it is said again.
    const say = (here: boolean) => void tell({ id, window, here }).catch(() => undefined);
    let answer: ReturnType<typeof setTimeout> | undefined;
    say(true);
    const again = setInterval(() => say(true), AGAIN_MS);
    const stop = live.presence.onNewcomer(entity, id, () => {
      answer ??= setTimeout(
        () => {
          answer = undefined;
          say(true);
        },
        ANSWER_MS * (0.5 + Math.random()),
      );
    });
    const leave = () => say(false);
    const come = (event: PageTransitionEvent) => void (event.persisted && say(true));
    addEventListener('pagehide', leave);
    addEventListener('pageshow', come);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', come);
      stop();
      clearInterval(again);
      clearTimeout(answer);
      // Whoever has signed out is gone already.
      if (live.scope !== undefined) say(false);
    };
  }, [live, entity, id, tell]);
}
