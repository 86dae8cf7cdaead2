import { useSyncExternalStore } from 'react';
import { useMe } from '../../session/session-context.ts';
import { uploadQueueOf } from './page-uploads.ts';
import type { UploadQueue, UploadsSnapshot } from './upload-queue.ts';

/** The uploads of the signed-in person on this page. */
export function useUploads(): UploadsSnapshot & { queue: UploadQueue } {
  const queue = uploadQueueOf(useMe().id);
  const snapshot = useSyncExternalStore(queue.subscribe, queue.snapshot);
  return { ...snapshot, queue };
}
