import { isSettled } from './upload-queue.ts';
import type { Upload } from './upload-types.ts';

export type UploadSums = { all: number; done: number; failed: number; open: number; share: number };

/** Returns the progress of all uploads together, without cancelled ones. An empty file counts as one byte. */
export function sumsOf(uploads: readonly Upload[]): UploadSums {
  let [all, done, failed, open, sent, bytes] = [0, 0, 0, 0, 0, 0];
  for (const upload of uploads) {
    if (upload.state === 'cancelled') continue;
    all += 1;
    if (upload.state === 'stored') done += 1;
    if (upload.state === 'failed') failed += 1;
    if (!isSettled(upload)) open += 1;
    bytes += Math.max(1, upload.bytes);
    sent += upload.state === 'stored' ? Math.max(1, upload.bytes) : upload.sent;
  }
  return { all, done, failed, open, share: bytes === 0 ? 0 : sent / bytes };
}

/** Returns the progress of one upload, in whole per cent; always 100 for an empty file. */
export function percentOf({ bytes, sent }: Pick<Upload, 'bytes' | 'sent'>): number {
  return bytes === 0 ? 100 : Math.floor((sent / bytes) * 100);
}
