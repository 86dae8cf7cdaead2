import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { readThumbnail } from '../../features/documents/documents.queries.ts';
import type { Services } from '../../kernel/context.ts';
import { goneSignal } from '../gone-signal.ts';
import { sendError } from '../refusal.ts';
import { permittedActor } from '../request-actor.ts';
import { sendThumbnail } from './send-thumbnail.ts';

const idSchema = z.uuid();

/** Routes for documents: the thumbnail of a document's current version. `files.ts` serves the document's bytes. */
export function mountDocuments(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { id: string } }>('/files/documents/:id/thumbnail', async (request, reply) => {
    try {
      const actor = await permittedActor(services, request, 'view_logbook');
      const id = idSchema.safeParse(request.params.id).data;
      const read = async () => (id === undefined ? undefined : readThumbnail(services.db, actor, id));
      const found = await services.reads.run(actor.userId, read, goneSignal(reply));
      if (found === undefined) throw new AppError('not_found');
      return sendThumbnail(request, reply, found);
    } catch (error) {
      if (error instanceof AppError) return sendError(request, reply, error);
      throw error;
    }
  });
}
