import { Listeners } from '../lib/listeners.ts';

/** The worker's report on the files of its version, sent as an answer or while it fetches them. */
export type Told = { kept: number; of: number; failed?: 'full' | 'network' };

const listeners = new Listeners();
let told: Told = { kept: 0, of: 1 };
let refusal: 'network' | 'browser' | undefined;
let listening = false;

/** The last report of the service worker, even if its state has changed since. */
export const appWorker = {
  subscribe: listeners.subscribe,
  told: (): Told => told,
  /** The reason why the last registration failed; undefined if it succeeded. */
  refusal: () => refusal,
};

/**
 * Registers the service worker, which stores the app so that the app opens without a network. It may be called
 * repeatedly: files that are stored already are not fetched again. Never rejects: without a worker the app still works,
 * but does not open without a network.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const { serviceWorker } = navigator;
  if (!listening) serviceWorker.addEventListener('message', ({ data }) => data?.of > 0 && hear(data));
  listening = true;
  try {
    const registration = await serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    // Where workers are blocked, some browsers resolve with undefined instead of rejecting.
    refusal = registration === undefined ? 'browser' : undefined;
    return registration;
  } catch (error) {
    // A TypeError means that the file could not be fetched; after any other error, another try would fail again.
    refusal = error instanceof TypeError ? 'network' : 'browser';
    return undefined;
  }
}

export function hear(news: Told): void {
  told = news;
  listeners.tell();
}
