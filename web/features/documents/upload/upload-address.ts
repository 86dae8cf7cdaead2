import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { messages } from '#shared/messages.ts';
import { shutOut } from '../../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { UploadError } from './upload-types.ts';

/**
 * Converts a refusal of the server to an UploadError.
 * @param at the refusing endpoint: our route or the presigned address
 */
export function failureOf(status: number, body: unknown, at: 'route' | 'address'): UploadError {
  const { code, sentence, retryAfterSeconds } = refusalIn(body);
  if (status === 401 || code === 'unauthenticated') {
    // Either the same person signs in again, and the upload goes on, or all uploads end.
    shutOut.tell();
    return new UploadError('cut', messages.session.ended);
  }
  if (at === 'address') {
    if (status === 403 || status === 404 || status === 410) return new UploadError('expired', sentence);
    // Another writer took over, bytes are missing, or the range is wrong: the next try first asks how many bytes are stored.
    if (status === 400 || status === 409 || status === 416) return new UploadError('fault', sentence);
  } else if (code === 'conflict' || code === 'duplicate') {
    return new UploadError('taken', sentence);
  }
  const isForNow = code === 'busy' || code === 'rate_limited' || code === 'internal';
  if (isForNow || status === 408 || status === 429 || status >= 500) {
    return new UploadError('fault', sentence, { waitMs: retryAfterSeconds * 1000 });
  }
  return new UploadError('refused', sentence);
}

/** Returns code and message of a refusal: the file router puts them at the top of the body, the ingest in `error`, like tRPC. */
function refusalIn(body: unknown) {
  const error: unknown = wireErrorOf(Reflect.get(Object(body), 'error')) ?? body;
  const of = (name: string): unknown => Reflect.get(Object(error), name);
  const [code, message, retryAfter] = [of('code'), of('message'), of('retryAfterSeconds')];
  const [field] = Object.values(Object(of('fields'))).filter((text) => typeof text === 'string');
  // An error without its own message has its code as the message.
  const said = typeof message === 'string' && message !== code && message !== '' ? message : field;
  return {
    code,
    sentence: typeof said === 'string' && said !== '' ? said : uploadMessages.failed,
    retryAfterSeconds: typeof retryAfter === 'number' ? retryAfter : 0,
  };
}

export function cut(cause?: unknown): UploadError {
  return new UploadError('cut', uploadMessages.noAnswer, { cause });
}
