import { backoffMs } from '../../../offline/backoff.ts';
import { type Connectivity, createConnectivity } from '../../../offline/connectivity.ts';

/** Between two tries of an upload. */
export type UploadWaits = {
  /** Resolves after so many failures' wait, earlier when a try makes sense again; rejects when `signal` aborts. */
  afterFailure(failures: number, leastMs: number, signal: AbortSignal): Promise<void>;
};

/** While the browser says that it is offline, a try is made this often nevertheless: it may be wrong. */
const OFFLINE_MS = 60_000;

export function createUploadWaits(connectivity: Connectivity = createConnectivity()): UploadWaits {
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
          // A server that asks to be left alone has nothing to do with the network.
          if (leastMs === 0 && connectivity.isOnline()) end(resolve);
        });
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
      }),
  };
}
