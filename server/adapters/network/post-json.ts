import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressList } from './address-list.ts';
import { checkedLookup, ForbiddenAddressError, isForbiddenHost } from './public-address.ts';

/** Bytes of an answer that are read, so that the other side can end it in order; the rest is cut off. */
const ANSWER_MAX_BYTES = 16 * 1_024;

export type Post = {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Private addresses to which it may be sent, also over plain http. */
  allowed: AddressList;
  /** Ends the request. */
  signal: AbortSignal;
};

/**
 * Posts JSON to an address that somebody gave. Redirects are not followed, private addresses are refused, nothing of the answer
 * but its status is used, and each request has a connection of its own.
 * @returns the status of the answer
 * @throws ForbiddenAddressError, the reason of the signal, or the error of the connection
 */
export function postJson({ url, headers, body, allowed, signal }: Post): Promise<number> {
  if (isForbiddenHost(url, allowed)) {
    return Promise.reject(new ForbiddenAddressError(`${url.hostname} is a forbidden address`));
  }
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent: false,
      lookup: checkedLookup({ protocol: url.protocol, allowed }),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
      signal,
    };
    const sent = send(url, options, (answer) => {
      resolve(answer.statusCode ?? 0);
      drain(answer);
    });
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    sent.end(body);
  });
}

/** Reads the rest of an answer, up to a bound. */
function drain(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('data', (piece: Buffer) => {
    bytes += piece.byteLength;
    if (bytes > ANSWER_MAX_BYTES) answer.destroy();
  });
  // An answer that breaks off has given its status already.
  answer.on('error', () => undefined);
}
