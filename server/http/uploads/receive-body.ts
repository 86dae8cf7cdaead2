import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import type { Receiver, UploadProgress } from '../../features/files/receive.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isBusy } from '../../kernel/database-errors.ts';
import type { ConcurrencyLimit } from '../concurrency.ts';
import { fileOf } from './multipart-file.ts';

/**
 * Passes the body of a request to an upload, from an offset on.
 * @param upload.limit the uploads that one person may have in progress; absent: the caller has counted this one
 * @param upload.isWhole see `Receiver.receive`
 * @param upload.signal breaks the upload off, as if the sender had left
 * @param upload.again reads the person again before the file is stored
 * @throws AppError `busy` beyond the limit, and as `Receiver.receive`
 */
export async function receiveBody(
  request: FastifyRequest<{ Body: Readable | undefined }>,
  reply: FastifyReply,
  upload: {
    receiver: Receiver;
    limit?: ConcurrencyLimit;
    ctx: SignedInContext;
    id: string;
    offset: number;
    again: () => Promise<SignedInContext>;
    isWhole?: boolean;
    signal?: AbortSignal;
  },
): Promise<UploadProgress> {
  const { receiver, limit, ctx, id, offset, again, isWhole = false, signal } = upload;
  const release = limit === undefined ? () => undefined : limit.take(ctx.actor.userId);
  if (release === undefined) throw new AppError('busy');
  // A writer that has stopped reads no more. The rest of the body is dropped, so that the sender reads the answer.
  reply.raw.once('finish', () => request.raw.unpipe().resume());
  try {
    const source = await fileOf(request);
    const cut = () => source.destroy(new Error('the upload was broken off'));
    if (signal?.aborted === true) cut();
    signal?.addEventListener('abort', cut, { once: true });
    return await receiver.receive(ctx, id, offset, source, again, { isWhole });
  } finally {
    release();
  }
}

/** The errors and messages that differ between kinds of uploads. */
type Refusals = {
  /** The error if the disk has no room for the upload. */
  full: (cause: unknown) => AppError;
  tooLarge: string;
  /** The error if the bytes are not those that were announced; if absent, it is the same as for a gap. */
  mismatch?: (cause: unknown) => AppError;
};

/** Translates an error of the storage to the answer for the sender. Returns others unchanged. */
export function toUploadError(error: Error, { full, tooLarge, mismatch }: Refusals): Error {
  if (isBusy(error)) return new AppError('busy', { cause: error });
  if (!(error instanceof StorageError)) return error;
  switch (error.code) {
    case 'full':
      return full(error);
    case 'unreachable':
      return new AppError('busy', { cause: error });
    case 'too_large':
      return new AppError('too_large', { message: tooLarge, cause: error });
    case 'mismatch':
      if (mismatch !== undefined) return mismatch(error);
      break;
    default:
  }
  // A gap, a newer writer or other bytes: the sender asks how many bytes are stored, and continues from there.
  return new AppError('conflict', { data: { fields: {}, version: 0 }, cause: error });
}
