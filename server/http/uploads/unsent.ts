import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { importMessages } from '#shared/offline/import-messages.ts';
import { UNSENT_MAX_BYTES } from '#shared/offline/unsent-file.ts';
import type { Receiver } from '../../features/files/receive.ts';
import type { Services } from '../../kernel/context.ts';
import { importUnsent } from '../../offline/import-unsent.ts';
import { withUnsent } from '../../offline/unsent-reader.ts';
import { ByteRate, discardBody, takeBody } from '../byte-rate.ts';
import { sendUnexpectedError } from '../refusal.ts';
import { contextOf, permittedActor } from '../request-actor.ts';

const MEGABYTE = 1024 * 1024;
const PERMISSION = 'manage_users';
/** Limit in bytes per second that leaves time for other callers: the largest file takes seven seconds. */
const TAKEN_PER_SECOND = 30 * MEGABYTE;

type Unsent = { Body: Readable | undefined };

/** Imports the file of a phone that cannot connect. An administrator uploads it. */
export async function mountUnsent(
  app: FastifyInstance,
  services: Services,
  receiver: Receiver,
): Promise<void> {
  /** One at a time, because a file with its photos is held in memory. */
  let running = false;
  const rate = new ByteRate(TAKEN_PER_SECOND);

  await app.register(async (scope) => {
    // As a stream: copying a buffer of the whole file would block the event loop. A thread parses the content.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
      // The sender reads the answer only when it has sent the whole body.
      if (!request.raw.complete) void discardBody(request.raw, rate);
      return sendUnexpectedError(error, request, reply);
    });
    // Checked before the body is read.
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      await permittedActor(services, request, PERMISSION);
    });
    scope.post<Unsent>('/files/unsent', { bodyLimit: UNSENT_MAX_BYTES }, async (request) => {
      const actor = await permittedActor(services, request, PERMISSION);
      const bytes = await bytesOf(request);
      if (running) throw new AppError('busy');
      running = true;
      try {
        const ctx = contextOf(services, request, actor);
        return await withUnsent(bytes, (file) => importUnsent(ctx, file, receiver));
      } finally {
        running = false;
      }
    });
  });

  async function bytesOf({ body, headers }: FastifyRequest<Unsent>): Promise<Buffer<SharedArrayBuffer>> {
    if (body === undefined) throw new AppError('unsupported');
    const declared = headers['content-length'];
    const length = declared === undefined ? undefined : Number(declared);
    const bytes = await takeBody(body, length, UNSENT_MAX_BYTES, rate);
    if (bytes !== undefined) return bytes;
    const message = importMessages.fileTooLarge(UNSENT_MAX_BYTES / MEGABYTE);
    throw new AppError('too_large', { message });
  }
}
