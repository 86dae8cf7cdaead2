import { useCallback, useEffect, useRef } from 'react';
import type { PartOf, PresenceKind } from '#shared/features/presence/presence.vocabulary.ts';
import { keepaliveApi } from '../../lib/trpc/keepalive-api.ts';
import { Announcer, type Stay } from '../announcer.ts';
import { useLive } from '../live-context.tsx';

/** Creates the announcer of the window, which outlives the screens. */
function makeAnnouncer(window: string): Announcer {
  const announcer = new Announcer(window, (input) => keepaliveApi.presence.tell.mutate(input));
  addEventListener('pagehide', () => announcer.close());
  addEventListener('pageshow', ({ persisted }) => void (persisted && announcer.again()));
  return announcer;
}

/**
 * While mounted, announces to other people that this window is at a subject; announces nothing while the id is undefined.
 * @param part the part that is worked on from the start
 * @returns a function that announces work on another part, or on none
 */
export function useAnnouncePresence<Kind extends PresenceKind>(
  kind: Kind,
  id: string | undefined,
  part?: PartOf<Kind>,
): (part: PartOf<Kind> | undefined) => void {
  const live = useLive();
  const stay = useRef<Stay>(undefined);
  useEffect(() => {
    if (id === undefined) return;
    const here = live.announcer(makeAnnouncer).enter({ kind, id });
    if (part !== undefined) here.workOn(part);
    stay.current = here;
    return () => {
      stay.current = undefined;
      here.leave();
    };
  }, [live, kind, id, part]);
  return useCallback((now) => stay.current?.workOn(now), []);
}
