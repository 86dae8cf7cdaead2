import { Listeners } from '../lib/listeners.ts';

/** What the worker says of its version's files, asked or while it fetches them. */
export type Told = { kept: number; of: number; failed?: 'full' | 'network' };

const listeners = new Listeners();
let told: Told = { kept: 0, of: 1 };
let refusal: 'network' | 'browser' | undefined;
let listening = false;

/** What was last heard of the worker, whatever has become of it since. */
export const appWorker = {
  subscribe: listeners.subscribe,
  told: (): Told => told,
  /** Why the browser did not take it at the last try. */
  refusal: () => refusal,
};

/**
 * Has the browser keep the app, so that it opens without a network. Again does no harm: what is kept is not fetched
 * again. Never rejects: the app works without, it only does not open without a network.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const { serviceWorker } = navigator;
  if (!listening) serviceWorker.addEventListener('message', ({ data }) => data?.of > 0 && hear(data));
  listening = true;
  try {
    const registration = await serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    // Where workers are blocked, some browsers answer nothing instead of refusing.
    refusal = registration === undefined ? 'browser' : undefined;
    return registration;
  } catch (error) {
    // A file that does not come is a TypeError; whatever else it is, another try finds the same.
    refusal = error instanceof TypeError ? 'network' : 'browser';
    return undefined;
  }
}

export function hear(news: Told): void {
  told = news;
  listeners.tell();
}
