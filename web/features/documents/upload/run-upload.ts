import { MAX_FAULTS } from '../../../offline/queue/backoff.ts';
import type { RetryDelays } from './retry-delays.ts';
import { type Sendable, type StoredUpload, UploadError, type UploadTransport } from './upload-types.ts';

type Callbacks = {
  /** Called when a try has failed and the delay before the next try begins. */
  onPause: () => void;
  onGoOn: () => void;
  /** Called when the address for the upload is known, even after a cancellation. */
  onAddress: (address: string) => void;
  onProgress: (sent: number) => void;
};

/** Maximum number of consecutive addresses that may expire without any progress. */
const MOST_ADDRESSES = 3;

/**
 * Sends one file completely. Each retry resumes after the bytes that the server has. Rejects with an {@link UploadError}
 * that gives the reason when another retry would not help, or with the signal's reason.
 */
export async function runUpload(
  upload: Sendable,
  { transport, waits }: { transport: UploadTransport; waits: RetryDelays },
  { onPause, onGoOn, onAddress, onProgress }: Callbacks,
  signal: AbortSignal,
): Promise<StoredUpload> {
  let address: string | undefined;
  let first = !upload.begun;
  /** Failed tries, by which the delays grow; and those of them that are the server's. */
  let failures = 0;
  let faults = 0;
  let expired = 0;
  let most = upload.sent;
  const options = {
    signal,
    onAddress: (next: string) => {
      address = next;
      onAddress(next);
    },
    onProgress: (sent: number) => {
      // After progress the limits count from zero again, because retrying helps.
      if (sent > most) {
        most = sent;
        failures = 0;
        faults = 0;
        expired = 0;
      }
      if (!signal.aborted) onProgress(sent);
    },
  };
  for (;;) {
    try {
      return first
        ? await transport.begin(upload, options)
        : await transport.resume(upload, address, options);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UploadError)) throw error;
      first = false;
      if (error.failure === 'expired' && expired < MOST_ADDRESSES) {
        address = undefined;
        expired += 1;
        continue;
      }
      if (error.failure !== 'cut' && error.failure !== 'fault') throw error;
      // A response with a retry time is not counted as a failure.
      if (error.waitMs === 0) {
        failures += 1;
        if (error.failure === 'fault') faults += 1;
      }
      // Without a network the upload is retried for ever; if the server keeps failing, the person has to act.
      if (faults >= MAX_FAULTS) throw error;
      onPause();
      await waits.afterFailure(failures, error.waitMs, signal);
      onGoOn();
    }
  }
}
