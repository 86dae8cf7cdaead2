import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** How long a request may take to come, in milliseconds. */
export type TimeLimits = {
  /** Its headers, from the first byte, or from the beginning of the connection. */
  headersMs: number;
  /** Its body: all of it, or for a file each part of it (see below). */
  bodyMs: number;
  /** How often it is looked whether headers are late. */
  lookEveryMs: number;
};

export const TIME_LIMITS: TimeLimits = { headersMs: 10_000, bodyMs: 30_000, lookEveryMs: 1_000 };

/** No request takes longer: a file of 15 MB needs 21 minutes at 100 kbit/s. One that is cut goes on where it was. */
export const REQUEST_MAX_MS = 30 * 60_000;
/** A file moves as long as this much of it comes in each time of a body: 1 kbit/s. */
const MOVING_BYTES = 4 * 1024;

/**
 * Ends connections whose request does not come. The body of a call has one time for all of it: the largest, of
 * 256 KiB, needs 21 s at 100 kbit/s. A file may take as long as it moves, as a phone may send it (rule O8 of
 * `web/offline/SPEC.md`). After the answer, or a refusal, nobody needs the rest: it has one time, too.
 */
export function limitBodies(server: Server, bodyMs: number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    const isFile = request.url?.startsWith('/files/') === true;
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const moves = isFile && socket.bytesRead - seen >= MOVING_BYTES;
      // What has come and is not taken is our delay, not the sender's.
      const weAreLate = request.readableLength >= request.readableHighWaterMark;
      seen = socket.bytesRead;
      if (request.complete) clearInterval(timer);
      else if (response.writableEnded || !(moves || weAreLate)) socket.destroy();
    }, bodyMs);
    timer.unref();
    for (const event of ['end', 'close']) request.once(event, () => clearInterval(timer));
  });
}
