import type { FastifyInstance } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { UNSENT_MAX_BYTES } from '#shared/unsent-file.ts';
import type { Receiver } from '../features/files/receive.ts';
import type { Services } from '../kernel/context.ts';
import { importUnsent } from '../offline/import-unsent.ts';
import { readUnsent } from '../offline/read-unsent.ts';
import { sendError, sendUnexpectedError } from './refusal.ts';
import { permittedActor } from './request-actor.ts';

const MEGABYTE = 1024 * 1024;
const PERMISSION = 'manage_users';

/** Imports the file of a phone that cannot connect, brought by an administrator. */
export async function mountUnsent(
  app: FastifyInstance,
  services: Services,
  receiver: Receiver,
): Promise<void> {
  /** One at a time, because a file with its photos is held in memory. */
  let running = false;

  await app.register(async (scope) => {
    // As bytes, because the hash is verified before the content is parsed.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: UNSENT_MAX_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
      if (error.statusCode !== 413) return sendUnexpectedError(error, request, reply);
      const message = offlineMessages.fileTooLarge(UNSENT_MAX_BYTES / MEGABYTE);
      return sendError(request, reply, new AppError('too_large', { message }));
    });
    // Checked before the body is read.
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      await permittedActor(services, request, PERMISSION);
    });
    scope.post<{ Body: Buffer }>('/files/unsent', { bodyLimit: UNSENT_MAX_BYTES }, async (request) => {
      const actor = await permittedActor(services, request, PERMISSION);
      if (!Buffer.isBuffer(request.body)) throw new AppError('unsupported');
      if (running) throw new AppError('busy');
      running = true;
      try {
        return await importUnsent(
          {
            services,
            actor,
            requestId: request.id,
            ...services.clientOf(request.raw),
            setCookie: () => undefined,
          },
          readUnsent(request.body),
          receiver,
        );
      } finally {
        running = false;
      }
    });
  });
}
