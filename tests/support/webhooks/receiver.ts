import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook as Verifier } from 'standardwebhooks';

/** A message as the receiver of a webhook got it. */
export type ReceivedMessage = {
  /** The `webhook-id` header. */
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
  changes?: Record<string, [unknown, unknown]>;
  by?: { personId: string; apiKeyId: string | null } | null;
  headers: IncomingHttpHeaders;
};

/**
 * The status of an answer; `hang`: no answer; `flood`: an answer without an end; `drip`: an answer that hardly goes on
 * after its status; `switch`: 101.
 */
export type Reaction = number | 'hang' | 'flood' | 'drip' | 'switch' | { redirectTo: string };

/** The receiver of a webhook. */
export type Receiver = {
  url: string;
  /** The messages that were answered with 2xx, in the order of their answers; repetitions too. */
  accepted: ReceivedMessage[];
  /** The number of requests that it got. */
  asked(): number;
  /** Messages whose signature was wrong. */
  forged(): number;
  /** Verifies messages from now on. */
  verifyWith(secret: string): void;
  /** Decides the answers from now on. */
  react(reaction: (message: ReceivedMessage) => Reaction): void;
  close(): Promise<void>;
};

/** Starts a receiver on this machine. @param secret verifies every message; absent: no verification until `verifyWith` */
export async function startReceiver(secret?: string): Promise<Receiver> {
  let verifier = secret === undefined ? undefined : new Verifier(secret);
  const accepted: ReceivedMessage[] = [];
  let asked = 0;
  let forged = 0;
  let reaction: (message: ReceivedMessage) => Reaction = () => 204;
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    text(request)
      .then((body) => {
        asked += 1;
        const { headers } = request;
        const id = String(headers['webhook-id']);
        try {
          // The cast: Node joins these headers to text.
          verifier?.verify(body, headers as Record<string, string>);
        } catch {
          forged += 1;
        }
        const message = { ...JSON.parse(body), id, headers } as ReceivedMessage;
        const wanted = reaction(message);
        if (wanted === 'hang') return;
        if (wanted === 'switch') {
          request.socket.write(
            'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
          );
          return;
        }
        if (wanted === 'drip') {
          response.writeHead(200).write('x');
          return;
        }
        if (wanted === 'flood') {
          response.writeHead(200);
          const pour = () => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
            if (!response.destroyed) response.once('drain', pour);
          };
          return pour();
        }
        if (typeof wanted === 'object') {
          response.writeHead(302, { location: wanted.redirectTo }).end();
          return;
        }
        if (wanted >= 200 && wanted < 300) accepted.push(message);
        response.writeHead(wanted).end();
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    accepted,
    asked: () => asked,
    forged: () => forged,
    verifyWith(next) {
      verifier = new Verifier(next);
    },
    react(next) {
      reaction = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
