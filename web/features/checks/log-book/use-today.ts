import { useSyncExternalStore } from 'react';
import { dayOf } from '#shared/dates.ts';

const EVERY_MS = 30_000;
const read = () => dayOf(Date.now());

/** Returns the current day in the organisation's time zone, updated when it changes while a page stays open. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, read);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, EVERY_MS);
  return () => clearInterval(timer);
}
