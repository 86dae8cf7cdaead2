import { Webhook as Signer } from 'standardwebhooks';
import type { AttemptOutcome } from '#shared/features/webhooks/webhooks.ts';
import type { DeliveryError } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import type { AddressList } from '../../adapters/network/address-list.ts';
import { postJson } from '../../adapters/network/post-json.ts';
import { ForbiddenAddressError } from '../../adapters/network/public-address.ts';
import { VERSION } from '../../kernel/version.ts';
import type { Receiver } from './deliveries.ts';
import type { Message } from './message.ts';

class NoAnswerError extends Error {
  override name = 'NoAnswerError';
}

/** Errors of Node and OpenSSL about the certificate of the other side. */
const CERTIFICATE = /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/;

/**
 * Sends a message, signed by Standard Webhooks.
 * @param options.id the `webhook-id` header
 * @param options.stopping ends the attempt; absent: only the time does
 * @returns the answer, or why there is none
 * @throws the reason of `stopping`
 */
export async function attempt(
  { url, secret }: Pick<Receiver, 'url' | 'secret'>,
  message: Message,
  options: {
    id: string;
    now: Date;
    allowed: AddressList;
    answerWithinMs: number;
    stopping?: AbortSignal | undefined;
  },
): Promise<AttemptOutcome> {
  const { id, now, allowed, stopping, answerWithinMs } = options;
  // Not `AbortSignal.any`: in Node 20, a long-lived signal keeps in memory every signal that was combined with it.
  const ending = new AbortController();
  const stop = () => ending.abort(stopping?.reason);
  const timer = setTimeout(() => ending.abort(new NoAnswerError()), answerWithinMs);
  stopping?.addEventListener('abort', stop);
  try {
    stopping?.throwIfAborted();
    const body = JSON.stringify(message);
    const headers = {
      'user-agent': `Lintel/${VERSION}`,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Signer(secret).sign(id, now, body),
    };
    const status = await postJson({ url: new URL(url), headers, body, allowed, signal: ending.signal });
    return { status, error: status >= 200 && status < 300 ? null : 'status' };
  } catch (error) {
    if (stopping?.aborted === true) throw error;
    return { status: null, error: errorOf(error) };
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', stop);
  }
}

function errorOf(error: unknown): DeliveryError {
  if (error instanceof ForbiddenAddressError) return 'forbidden_address';
  if (!(error instanceof Error)) return 'connection';
  if (error instanceof NoAnswerError) return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown_host';
  return CERTIFICATE.test(code) ? 'certificate' : 'connection';
}
