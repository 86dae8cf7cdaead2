import { type Connectivity, createConnectivity } from '../../../offline/connectivity.ts';
import { backoffMs } from '../../../offline/queue/backoff.ts';

/** The delay between two tries of an upload. */
export type RetryDelays = {
  /**
   * Resolves after the backoff for this number of failures, but not before `leastMs`, the wait that the server asked for.
   * If `leastMs` is 0, resolves early once the network is back or the page is visible again. Rejects when `signal` aborts.
   */
  afterFailure(failures: number, leastMs: number, signal: AbortSignal): Promise<void>;
};

/** Delay while the browser reports that it is offline. The upload is still retried, because the report may be wrong. */
const OFFLINE_MS = 60_000;

export function createUploadWaits(connectivity: Connectivity = createConnectivity()): RetryDelays {
  return {
    afterFailure: (failures, leastMs, signal) =>
      new Promise((resolve, reject) => {
        const ms = Math.max(leastMs, connectivity.isOnline() ? backoffMs(failures) : OFFLINE_MS);
        const end = (settle: () => void) => {
          clearTimeout(timer);
          stopListening();
          signal.removeEventListener('abort', onAbort);
          settle();
        };
        const onAbort = () => end(() => reject(signal.reason));
        const timer = setTimeout(() => end(resolve), ms);
        const stopListening = connectivity.onChance(() => {
          // A wait that the server asked for does not end early.
          if (leastMs === 0 && connectivity.isOnline()) end(resolve);
        });
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
      }),
  };
}
