import { type Connectivity, createConnectivity } from '../../../offline/connectivity.ts';
import { backoffMs } from '../../../offline/queue/backoff.ts';

/** The waits between two tries of an upload. */
export type RetryDelays = {
  /**
   * Resolves after the backoff for this number of failures. `leastMs`, the wait that the server asks for, makes it longer;
   * with 0 it ends early once the network is back or the page is visible again. Rejects when `signal` aborts.
   */
  afterFailure(failures: number, leastMs: number, signal: AbortSignal): Promise<void>;
};

/** The wait while the browser says that it is offline, which may be wrong. */
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
          // The network does not matter for a wait that the server asks for.
          if (leastMs === 0 && connectivity.isOnline()) end(resolve);
        });
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
      }),
  };
}
