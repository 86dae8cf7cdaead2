import { loadTransport } from './page-uploads.ts';
import { forgetUpload, type UnfinishedUpload } from './unfinished-uploads.ts';

/** Deletes the record of an upload of an earlier page, and makes the server delete the received part. */
export async function discardUnfinished(unfinished: UnfinishedUpload): Promise<void> {
  const { userId, id } = unfinished;
  await forgetUpload(userId, id);
  void loadTransport()
    .then(({ createUploadTransport }) => createUploadTransport(userId).cancel(unfinished, undefined))
    // If this request fails, the server deletes the upload by itself after a week.
    .catch(() => undefined);
}
