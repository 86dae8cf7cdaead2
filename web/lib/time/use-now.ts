import { useSyncExternalStore } from 'react';
import { presentTime } from './present-time.ts';
import { serverClock } from './server-clock.ts';

const EVERY_MS = 20_000;
/** The difference from which a corrected clock is shown at once. */
const CORRECTED_MS = 2 * EVERY_MS;
const listeners = new Set<() => void>();
let stop: (() => void) | undefined;
let now = presentTime();

/** Returns the present time, Unix ms, updated every 20 s by one timer for the whole page: often enough for "2h left". */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = presentTime();
    stop = start();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop?.();
  };
}

function start(): () => void {
  const update = () => {
    now = presentTime();
    for (const each of listeners) each();
  };
  const timer = setInterval(update, EVERY_MS);
  const leave = serverClock.subscribe(() => {
    if (Math.abs(presentTime() - now) > CORRECTED_MS) update();
  });
  return () => {
    clearInterval(timer);
    leave();
  };
}
