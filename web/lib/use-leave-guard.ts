import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type To, UNSAFE_NavigationContext } from 'react-router-dom';
import { interceptHistory } from './intercept-history.ts';

/**
 * Stops navigation away from this page while something would be lost, until the person decides. The router's own guard
 * needs its data router, whose code every first screen would have to load, so two ways are guarded here: navigation by
 * the app, and the browser's Back and Forward. The browser itself asks before it closes a window.
 * @param atStake returns whether something would be lost; called at each attempt to leave
 * @returns the stopped navigation, or undefined
 */
export function useLeaveGuard(atStake: () => boolean): { leave: () => void; stay: () => void } | undefined {
  const { navigator } = useContext(UNSAFE_NavigationContext);
  const [held, setHeld] = useState<() => void>();
  const decided = useRef(false);
  const mayLeave = useEffectEvent(() => decided.current || !atStake());
  const hold = useEffectEvent((goOn: () => void) => setHeld(() => goOn));

  useEffect(() => {
    const path = window.location.pathname;
    let place = placeInHistory(window.history.state);
    /** Set while this guard returns to its own history entry, which is not an attempt to leave. */
    let returning = false;

    const { push, replace } = navigator;
    function guarded(change: typeof push): typeof push {
      return (to, state, options) => {
        const goOn = () => {
          change(to, state, options);
          place = placeInHistory(window.history.state);
        };
        if (staysAt(path, to) || mayLeave()) goOn();
        else hold(goOn);
      };
    }
    navigator.push = guarded(push);
    navigator.replace = guarded(replace);

    function onPop(event: PopStateEvent): void {
      if (returning) {
        returning = false;
        event.stopImmediatePropagation();
        return;
      }
      const next = placeInHistory(event.state);
      const delta = next - place;
      if (delta === 0 || window.location.pathname === path || mayLeave()) {
        place = next;
        return;
      }
      // The address has changed already, so the guard restores it. The router receives neither of the two events.
      event.stopImmediatePropagation();
      returning = true;
      window.history.go(-delta);
      hold(() => window.history.go(delta));
    }
    const close = interceptHistory(onPop);
    return () => {
      navigator.push = push;
      navigator.replace = replace;
      close();
    };
  }, [navigator]);

  return (
    held && {
      leave() {
        decided.current = true;
        held();
      },
      stay: () => setHeld(undefined),
    }
  );
}

function staysAt(path: string, to: To): boolean {
  const target = typeof to === 'string' ? new URL(to, window.location.href).pathname : to.pathname;
  return target === undefined || target === path;
}

/** The index that the router gives to each history entry. */
function placeInHistory(state: unknown): number {
  return typeof state === 'object' && state !== null && 'idx' in state ? Number(state.idx) : 0;
}
