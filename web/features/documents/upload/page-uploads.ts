import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { certificateMessages } from '#shared/features/tasks/certificate-messages.ts';
import { messages } from '#shared/messages.ts';
import { toast, toastSuccess } from '../../../ui/feedback/toast.ts';
import { createUploadWaits } from './retry-delays.ts';
import { forgetUpload, releaseAllLocks, rememberUpload } from './unfinished-uploads.ts';
import { UploadQueue } from './upload-queue.ts';
import type { Upload, UploadBatch, UploadTransport } from './upload-types.ts';
import { uploadsWanted } from './uploads-wanted.ts';

/** Maximum number of names in a toast; further files are only counted. */
const MOST_NAMES = 3;

let current: { userId: string; queue: UploadQueue } | undefined;

/** Returns the upload queue of this page for a person; ends the queue of another person. */
export function uploadQueueOf(userId: string): UploadQueue {
  if (current?.userId === userId) return current.queue;
  stopUploads();
  const queue = new UploadQueue({
    transport: lazyTransport(userId),
    waits: createUploadWaits(),
    memory: {
      begun: (upload) => void rememberUpload(userId, upload),
      ended: (id) => void forgetUpload(userId, id),
    },
    onBatchEnd: (batch, uploads) => tellEnd(queue, batch, uploads),
  });
  // Loads the upload tray, which every screen shows, at the first change of the queue.
  const stopWatching = queue.subscribe(() => {
    stopWatching();
    uploadsWanted.want(stopUploads);
  });
  current = { userId, queue };
  return queue;
}

/** Ends all uploads of this page. The person's records of unfinished uploads stay on this device. */
function stopUploads(): void {
  current?.queue.stop();
  current = undefined;
  releaseAllLocks();
}

/** Loads the code of the transport, with UploadThing's client. The upload zone calls this early. */
export const loadTransport = () => import('./upload-transport.ts');

function lazyTransport(userId: string): UploadTransport {
  let made: Promise<UploadTransport> | undefined;
  const transport = () => {
    made ??= loadTransport().then(({ createUploadTransport }) => createUploadTransport(userId));
    return made;
  };
  return {
    begin: async (...args) => (await transport()).begin(...args),
    resume: async (...args) => (await transport()).resume(...args),
    cancel: async (...args) => (await transport()).cancel(...args),
  };
}

/** Shows one toast for a batch: success, or the names of failed files with Retry. */
function tellEnd(queue: UploadQueue, { target }: UploadBatch, uploads: readonly Upload[]): void {
  const kept = uploads.filter(({ state }) => state === 'stored');
  const stored = kept.length;
  const failed = uploads.filter(({ state }) => state === 'failed');
  if (failed.length === 0) {
    const words = target.proofOf === undefined ? uploadMessages.uploaded : certificateMessages.attached;
    const [only] = kept;
    if (only !== undefined) toastSuccess(words(stored), { about: stored === 1 ? only.name : undefined });
    return;
  }
  const names = failed.slice(0, MOST_NAMES).map(({ name }) => name);
  const named = uploadMessages.failedNames(names, failed.length - names.length);
  const [{ failure } = {}] = failed;
  const why =
    failed.length === 1 && failure !== undefined && failure !== uploadMessages.failed ? failure : '';
  const some = stored > 0 ? uploadMessages.someFailed(stored, stored + failed.length) : '';
  toast({
    title: messages.common.error,
    text: [some, `${uploadMessages.failed}: ${named}.`, why].filter((part) => part !== '').join(' '),
    tone: 'destructive',
    action: { label: uploadMessages.retry, onSelect: () => queue.retry(failed.map(({ id }) => id)) },
  });
}
