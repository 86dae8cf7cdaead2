import { useEffect } from 'react';
import { uuidv7 } from '#shared/ids.ts';
import type { LiveEntity } from '#shared/live-entities.ts';
import { useLive } from './live-context.tsx';

/** The interval at which presence is repeated, so that a window that vanished soon counts as closed. */
const AGAIN_MS = 20_000;
/** The average delay of the answer to a newcomer, randomised so that not all windows answer at once. */
const ANSWER_MS = 400;

/** Announces to other people, while mounted, that this window has the row open. */
export function useAnnouncePresence(
  entity: LiveEntity,
  id: string,
  tell: (input: { id: string; window: string; here: boolean }) => Promise<unknown>,
): void {
  const live = useLive();
  useEffect(() => {
    const window = uuidv7();
    // A lost message does no harm, because it is repeated.
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
      // Not after sign-out, when the call would be refused: others drop the window when its time is over.
      if (live.scope !== undefined) say(false);
    };
  }, [live, entity, id, tell]);
}
