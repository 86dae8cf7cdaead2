import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { sha256Of } from '../../../lib/sha256.ts';
import { loadTransport } from './page-uploads.ts';
import type { HeldPiece } from './put-rest.ts';
import { forgetUpload, type UnfinishedUpload } from './unfinished-uploads.ts';
import type { UploadQueue } from './upload-queue.ts';
import { UploadError } from './upload-types.ts';

/**
 * Resumes an upload of an earlier page, if the file chosen again is the same file: name, size, date, and the bytes that
 * the server has are compared.
 * @returns undefined, or a message why the upload cannot be resumed
 */
export async function resumeUpload(
  queue: UploadQueue,
  unfinished: UnfinishedUpload,
  file: File,
): Promise<string | undefined> {
  if (file.name !== unfinished.name) return uploadMessages.otherName(unfinished.name);
  if (file.size !== unfinished.bytes) return uploadMessages.otherSize(formatFileSize(unfinished.bytes));
  if (file.lastModified !== unfinished.lastModified) return uploadMessages.otherDate;
  try {
    const { requestHeldPieces } = await loadTransport();
    const { received, pieces } = await requestHeldPieces(unfinished, file);
    if (!(await isBegunBy(pieces, file))) return uploadMessages.otherContent;
    queue.resumeUpload(unfinished, file, received);
    return undefined;
  } catch (error) {
    if (!(error instanceof UploadError)) throw error;
    if (error.failure === 'refused') await forgetUpload(unfinished.userId, unfinished.id);
    return error.message;
  }
}

async function isBegunBy(pieces: readonly HeldPiece[], file: File): Promise<boolean> {
  let at = 0;
  for (const { bytes, sha256 } of pieces) {
    const own = await file.slice(at, at + bytes).arrayBuffer();
    if ((await sha256Of(own)) !== sha256) return false;
    at += bytes;
  }
  return true;
}
