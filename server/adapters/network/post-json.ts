import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressList } from './address-list.ts';
import { checkedLookup, ForbiddenAddressError, isForbiddenHost } from './public-address.ts';

/**
 * Bytes of an answer that are read, so that the other side can end the answer in order. The time limit counts from its status.
 */
const ANSWER_MAX_BYTES = 16 * 1_024;
const ANSWER_REST_MS = 1_000;

export type Post = {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Private addresses to which the request may be sent, also over plain http. */
  allowed: AddressList;
  /** Ends the request. */
  signal: AbortSignal;
};

/**
 * Posts JSON to an untrusted address. It follows no redirects, refuses private addresses, uses only the status of the response,
 * and opens a connection for each request.
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
      const { statusCode = 0 } = answer;
      drain(answer, () => resolve(statusCode));
    });
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    // An answer with status 101 causes only this event (RFC 9110, 7.8). It is an error here: no protocol was requested.
    sent.on('close', () => reject(signal.aborted ? signal.reason : new Error('closed without an answer')));
    sent.end(body);
  });
}

/** Reads the rest of an answer, limited in size and time, and then ends its connection. */
function drain(answer: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const timer = setTimeout(() => answer.destroy(), ANSWER_REST_MS);
  answer.on('data', (piece: Buffer) => {
    bytes += piece.byteLength;
    if (bytes > ANSWER_MAX_BYTES) answer.destroy();
  });
  // If the answer breaks off, its status has been received already.
  answer.on('error', () => undefined);
  answer.on('close', () => {
    clearTimeout(timer);
    done();
  });
}
