import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { API_ADDRESS } from './rest/address.ts';

/** Time limits for requests and answers, in milliseconds. */
export type TimeLimits = {
  /** For the headers, from the first byte or from the start of the connection. */
  headersMs: number;
  /** For the whole body of a call; for a file, the interval in which some of it must arrive (see below). */
  bodyMs: number;
  /** Interval between checks for late headers. */
  lookEveryMs: number;
  /** Interval in which some of an answer must be read. */
  readMs: number;
};

export const TIME_LIMITS: TimeLimits = {
  headersMs: 10_000,
  bodyMs: 30_000,
  lookEveryMs: 1_000,
  readMs: 60_000,
};

/**
 * Longest request: a photo of 15 MB takes 21 minutes at 100 kbit/s. An upload that is cut off is resumed. Files without a
 * size limit have no time limit, either.
 */
const REQUEST_MAX_MS = 30 * 60_000;
/** Prefixes of addresses to which files of any size are sent: by the app, and by other programs. */
const FILES_WITHOUT_END = ['/ut/', `${API_ADDRESS}/documents?`];
/** Bytes of a file that must arrive in each `bodyMs`, which is 1 kbit/s. */
const MOVING_BYTES = 4 * 1024;

/**
 * Ends connections whose request body does not arrive. A call has `bodyMs` for its whole body: the largest, 256 KiB, takes 21
 * s at 100 kbit/s. A file may take longer as long as its bytes keep arriving, so that a phone can send it (rule O8 of
 * `web/offline/SPEC.md`). After the response the rest of a body is not needed, and gets `bodyMs` too.
 */
export function limitBodies(server: Server, bodyMs: number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    const hasNoEnd = FILES_WITHOUT_END.some((start) => request.url?.startsWith(start) === true);
    const isFile = hasNoEnd || request.url?.startsWith('/files/') === true;
    const latest = performance.now() + REQUEST_MAX_MS;
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const isLate = !hasNoEnd && performance.now() > latest;
      const moves = isFile && !isLate && socket.bytesRead - seen >= MOVING_BYTES;
      // Data that has arrived but is not read yet is the server's delay, not the sender's.
      const weAreLate = request.readableLength >= request.readableHighWaterMark;
      seen = socket.bytesRead;
      if (request.complete) clearInterval(timer);
      else if (response.writableEnded || !(moves || weAreLate)) socket.destroy();
    }, bodyMs);
    timer.unref();
    for (const event of ['end', 'close']) request.once(event, () => clearInterval(timer));
  });
}

/**
 * Ends connections whose client does not read the answer at all: an unread download occupies a file and a connection. A slow
 * client may take hours, and an answer that waits for the server is the server's own delay.
 */
export function limitReaders(server: Server, readMs: number): void {
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    const { socket } = response;
    if (socket === null) return;
    let seen = socket.bytesWritten - socket.writableLength;
    const timer = setInterval(() => {
      const read = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength > 0 && read === seen) socket.destroy();
      seen = read;
    }, readMs);
    timer.unref();
    response.once('close', () => clearInterval(timer));
  });
}
