import { loadTransport } from './page-uploads.ts';
import { forgetUpload, type UnfinishedUpload } from './unfinished-uploads.ts';

/** Forgets an upload of an earlier page, and lets the server delete what it has of it. */
export async function discardUnfinished(unfinished: UnfinishedUpload): Promise<void> {
  const { userId, id } = unfinished;
  await forgetUpload(userId, id);
  void loadTransport()
    .then(({ createUploadTransport }) => createUploadTransport(userId).cancel(unfinished, undefined))
    // Where the server cannot be told, it forgets the upload by itself after a week.
    .catch(() => undefined);
}
