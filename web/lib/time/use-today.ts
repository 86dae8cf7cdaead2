import { useSyncExternalStore } from 'react';
import { presentDay } from './present-time.ts';
import { serverClock } from './server-clock.ts';

const EVERY_MS = 30_000;

/** Returns the present day of the organisation, updated when it changes while a page stays open. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, presentDay);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, EVERY_MS);
  const leave = serverClock.subscribe(listener);
  return () => {
    clearInterval(timer);
    leave();
  };
}
