import { useSyncExternalStore } from 'react';
import { dayOf } from '#shared/dates.ts';

const EVERY_MS = 30_000;
const read = () => dayOf(Date.now());

/** The day that it is where the organisation is; a page that is left open overnight turns the page by itself. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, read);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, EVERY_MS);
  return () => clearInterval(timer);
}
