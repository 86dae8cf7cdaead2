import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import compress from '@fastify/compress';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { plainAddress } from '../adapters/network/network-of.ts';
import { isOwnOrigin } from '../adapters/network/origin.ts';
import { traceFields } from '../adapters/tracing/trace.ts';
import { createReceiver } from '../features/files/receive.ts';
import type { FileLayer } from '../features/files/uploads.writes.ts';
import { mountApi } from '../http/api.ts';
import { BODY_MAX } from '../http/body-size.ts';
import type { CallLimits } from '../http/call-limits.ts';
import { mountDocumentArchive } from '../http/downloads/document-archive.ts';
import { mountDocuments } from '../http/downloads/documents.ts';
import { Downloads } from '../http/downloads/downloads.ts';
import { mountExports } from '../http/downloads/exports.ts';
import { mountFiles } from '../http/downloads/files.ts';
import { mountHeaders } from '../http/headers.ts';
import { mountHealth } from '../http/health.ts';
import { mountMetrics } from '../http/metrics.ts';
import { DIST, mountPages } from '../http/pages.ts';
import { sendUnexpectedError } from '../http/refusal.ts';
import { API_PREFIX } from '../http/rest/address.ts';
import { refuse } from '../http/rest/refuse.ts';
import { mountRestApi } from '../http/rest/rest.ts';
import { mountSignIn } from '../http/sign-in.ts';
import { limitBodies, limitReaders, TIME_LIMITS } from '../http/time-limits.ts';
import { mountTracing } from '../http/tracing.ts';
import { mountImports } from '../http/uploads/imports.ts';
import { mountPhotos } from '../http/uploads/photos.ts';
import { mountUnsent } from '../http/uploads/unsent.ts';
import { mountUploads } from '../http/uploads/uploads.ts';
import type { Services } from '../kernel/context.ts';
import { describeError } from '../kernel/database-errors.ts';
import type { Env } from '../kernel/env.ts';
import type { Live } from '../live/live.ts';
import { DISPLAY_SOCKET_PATH } from '../live/live-path.ts';
import { fileLayer } from './file-layer.ts';
import { appRouter } from './router.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Lines at `error` and above that were logged since the start. */
    loggedErrors: { count: number };
  }
}

/** The level `error` of the logger (pino). */
const ERROR_LEVEL = 50;
const KEEP_ALIVE_MS = 72_000;
/**
 * Answers of at least this many bytes are compressed. Smaller ones arrive in the first flight of packets either way (RFC 6928:
 * ten, about 14 KiB with their headers), and consist for the most part of ids, which hardly get shorter.
 */
const COMPRESS_FROM = 4_096;
/**
 * Answers of at most this many bytes are compressed in one go. This takes a third of a stream's work, and blocks the event
 * loop for half a millisecond at most; the library's own limit is 8 KiB on two cores, less than a page of a list.
 */
const COMPRESS_AT_ONCE = 64 * 1_024;
const SOCKET_PATHS = new Set(['/trpc', '/trpc?connectionParams=1', DISPLAY_SOCKET_PATH]);

/** The part of the live stream that the HTTP server uses. */
export type LiveSockets = Pick<Live, 'handleUpgrade' | 'onAccessChanged' | 'figures'>;

export type AppOptions = {
  live?: LiveSockets;
  draining?: () => boolean;
  limits?: CallLimits;
  /** The features whose files are accepted; tests may pass their own. */
  files?: FileLayer;
  /** The folder of the built pages; tests may serve their own. */
  dist?: string;
};

/** Creates an HTTP server without routes. Its logger is also the process's. */
export function createHttp(
  env: Env,
  logStream: { write(line: string): void } = process.stderr,
  { headersMs, bodyMs, lookEveryMs, readMs } = TIME_LIMITS,
) {
  const loggedErrors = { count: 0 };
  const app = Fastify({
    logger: {
      level: env.logLevel,
      stream: logStream,
      // Both our code and the framework log errors under `err`.
      serializers: { err: loggedError },
      mixin: traceFields,
      hooks: {
        logMethod(input, method, level) {
          if (level >= ERROR_LEVEL) loggedErrors.count += 1;
          method.apply(this, input);
        },
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    // Node makes UUIDs from a pool of random bytes, which is cheap. The last group has twelve hex digits.
    genReqId: () => randomUUID().slice(-12),
    bodyLimit: BODY_MAX,
    routerOptions: { maxParamLength: 5_000 },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // An upload may take hours; `limitBodies` ends requests whose bytes stop arriving.
    requestTimeout: 0,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: lookEveryMs },
    forceCloseConnections: 'idle',
    frameworkErrors(error, request, reply) {
      const answer = request.url.startsWith(`${API_PREFIX}/`) ? refuse : sendUnexpectedError;
      void answer(error, request, reply);
    },
  });
  app.decorate('loggedErrors', loggedErrors);
  limitBodies(app.server, bodyMs);
  limitReaders(app.server, readMs);
  return app;
}

/** Serialises `err` of a log line without anything that people typed. */
function loggedError(error: Error) {
  const causes = describeError(error);
  return { type: error.name, message: String(causes[0]?.['message'] ?? ''), stack: '', causes };
}

/** Mounts everything: the API, pages, health, and the upgrade to live sockets. */
export async function mountApp<App extends FastifyInstance>(
  app: App,
  services: Services,
  options: AppOptions = {},
): Promise<App> {
  const { env } = services;
  app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) =>
    sendUnexpectedError(error, request, reply),
  );
  mountTracing(app);
  warnOfUnknownProxy(app, services);
  const { dist = DIST, files = fileLayer } = options;
  mountHeaders(
    app,
    env,
    ['index.html', 'wall.html'].map((name) => join(dist, name)),
  );
  await app.register(compress, {
    threshold: COMPRESS_FROM,
    syncThreshold: COMPRESS_AT_ONCE,
    encodings: ['br', 'gzip'],
  });
  const state = { draining: options.draining ?? (() => false), figures: () => options.live?.figures() ?? {} };
  mountHealth(app, services, state);
  mountMetrics(app, services, state);
  await mountApi(app, services, appRouter, options.limits);
  const downloads = new Downloads();
  options.live?.onAccessChanged((userIds) => void downloads.endForbidden(userIds));
  mountExports(app, services, downloads);
  await mountImports(app, services);
  const receiver = createReceiver(services, files.purposes);
  await mountRestApi(app, services, appRouter, { receiver, downloads, limits: options.limits });
  await mountPhotos(app, services, receiver, downloads);
  await mountFiles(app, services, files.purposes, downloads);
  await mountUploads(app, services, receiver, files.routes);
  mountDocuments(app, services);
  mountDocumentArchive(app, services, downloads);
  await mountUnsent(app, services, receiver);
  mountSignIn(app, services);
  await mountPages(app, dist);
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const live = options.draining?.() === true ? undefined : options.live;
    routeUpgrade(request, socket, head, env, live, app.log);
  });
  return app;
}

/**
 * Warns once if requests come through a proxy that is not trusted: all callers behind it then have one address and share the
 * limits of one caller.
 */
function warnOfUnknownProxy(app: FastifyInstance, { clientOf }: Pick<Services, 'clientOf'>): void {
  let warned = false;
  app.addHook('onRequest', async (request) => {
    if (warned || request.headers['x-forwarded-for'] === undefined) return;
    const remoteAddress = plainAddress(request.socket.remoteAddress ?? '');
    if (clientOf(request.raw).address !== remoteAddress) return;
    warned = true;
    app.log.warn(
      { address: remoteAddress },
      'a request came through a proxy that TRUSTED_PROXIES does not name: everyone behind it shares its limits',
    );
  });
}

// Runs before the handshake and before the URL is parsed: `//` would throw in tRPC's own code and end the process.
function routeUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  env: Env,
  live: LiveSockets | undefined,
  log: FastifyBaseLogger,
): void {
  socket.on('error', (error) => log.debug({ err: error }, 'a socket broke during its handshake'));
  if (live === undefined || !SOCKET_PATHS.has(request.url ?? '')) {
    turnAway(socket, '404 Not Found');
  } else if (!isOwnOrigin(env, request.headers.origin, request.headers.host)) {
    turnAway(socket, '403 Forbidden');
  } else {
    live.handleUpgrade(request, socket, head);
  }
}

function turnAway(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
