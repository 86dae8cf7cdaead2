import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as a collector gets it over OTLP (JSON). */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
};

/** A collector of traces. */
export type Collector = {
  url: string;
  spans: CollectedSpan[];
  /** The text of everything that was received. */
  received: string[];
  close(): Promise<void>;
};

/** Starts a collector on this machine that stores everything that it receives. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    text(request)
      .then((body) => {
        received.push(body);
        const { resourceSpans } = JSON.parse(body) as {
          resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
        };
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
