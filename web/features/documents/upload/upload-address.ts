import { uploadMessages } from '#shared/features/uploads-messages.ts';
import { messages } from '#shared/messages.ts';
import { shutOut } from '../../../lib/trpc.ts';
import { wireErrorOf } from '../../../lib/wire-error.ts';
import { UploadError } from './upload-types.ts';

/** A refusal of the server, as a failure of a try. @param at whether it came from the presigned address */
export function failureOf(status: number, body: unknown, at: 'route' | 'address'): UploadError {
  const { code, sentence, retryAfterSeconds } = refusalIn(body);
  if (status === 401 || code === 'unauthenticated') {
    // The same person signs in again, or all of this is ended.
    shutOut.tell();
    return new UploadError('cut', messages.session.ended);
  }
  if (at === 'address') {
    if (status === 403 || status === 404 || status === 410) return new UploadError('expired', sentence);
    // Another writer has taken over, bytes are missing, or the range is not the server's: it is asked where it stands.
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

/** Code and sentence in the body of a refusal: of the file router as they are, of the ingest as in procedures. */
function refusalIn(body: unknown) {
  const error: unknown = wireErrorOf(Reflect.get(Object(body), 'error')) ?? body;
  const of = (name: string): unknown => Reflect.get(Object(error), name);
  const [code, message, retryAfter] = [of('code'), of('message'), of('retryAfterSeconds')];
  const [field] = Object.values(Object(of('fields'))).filter((text) => typeof text === 'string');
  // Without a sentence of its own an error says its code.
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
