import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { readThumbnail } from '../features/documents/documents.queries.ts';
import type { Services } from '../kernel/context.ts';
import { sendError } from './refusal.ts';
import { permittedActor } from './request-actor.ts';

/** If a picture were ever opened as a page, it could run nothing and load nothing. */
const PICTURE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const idSchema = z.uuid();

/** Routes for documents: the thumbnail of a document's current version. Its bytes are served as any stored file's. */
export function mountDocuments(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { id: string } }>('/files/documents/:id/thumbnail', async (request, reply) => {
    try {
      const actor = await permittedActor(services, request, 'view_logbook');
      const id = idSchema.safeParse(request.params.id).data;
      const found = id === undefined ? undefined : await readThumbnail(services.db, actor, id);
      if (found === undefined) throw new AppError('not_found');
      const { picture, sha256 } = found;
      const etag = `"t${sha256}"`;
      reply
        // The kind was verified on arrival: JPEG or WebP.
        .type(picture[0] === 0xff ? 'image/jpeg' : 'image/webp')
        .header('etag', etag)
        // Cached but revalidated each time, because access may have been lost since.
        .header('cache-control', 'private, no-cache')
        .header('content-security-policy', PICTURE_POLICY)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.send(picture);
    } catch (error) {
      if (error instanceof AppError) return sendError(request, reply, error);
      throw error;
    }
  });
}
