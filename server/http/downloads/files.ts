import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { fileMessages } from '#shared/features/files/files-messages.ts';
import type { Actor } from '../../access/actor.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import { isShown } from '../../features/files/content-type.ts';
import { readStoredFile } from '../../features/files/files.queries.ts';
import type { FilePurpose } from '../../features/files/files.writes.ts';
import type { Services } from '../../kernel/context.ts';
import { goneSignal } from '../gone-signal.ts';
import { sendUnexpectedError } from '../refusal.ts';
import { callerOf } from '../request-actor.ts';
import { contentDisposition } from './content-disposition.ts';
import type { Downloads } from './downloads.ts';
import { sendStoredFile } from './send-stored-file.ts';

const LINK =
  /^\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\?d=([ia])&e=(\d{1,12})&u=([0-9a-f-]{36})$/;

/**
 * `/files/{id}`: the bytes of a file, for the person for whom the link was made, with their session, and as long as the file's
 * purpose permits (rule U9). The bytes always pass through this server, wherever they are stored.
 */
export async function mountFiles(
  app: FastifyInstance,
  services: Services,
  purposes: readonly FilePurpose[],
  downloads: Downloads,
): Promise<void> {
  const { db, reads, links, clock } = services;

  /** The file behind a link, its name, and whether it may be shown. */
  async function linked(request: FastifyRequest, gone: AbortSignal) {
    const [, id = '', disposition, expires, person] =
      LINK.exec(links.verify(request.raw.url ?? '') ?? '') ?? [];
    if (id === '') throw new AppError('forbidden', { message: fileMessages.linkInvalid });
    const actor = await callerOf(services, request);
    if (actor.userId !== person) throw new AppError('forbidden', { message: fileMessages.linkInvalid });
    if (Number(expires) * 1_000 <= clock.now().getTime()) {
      throw new AppError('forbidden', { message: fileMessages.linkExpired });
    }
    const file = await reads.run(actor.userId, () => readStoredFile(db, id), gone);
    const purpose = purposes.find(({ name }) => name === file?.purpose);
    const mayRead = async (by: Actor) => {
      const known = await purpose?.mayRead(db, by, id);
      if (known === undefined) throw new AppError('not_found');
      return known;
    };
    const { name } = await reads.run(actor.userId, () => mayRead(actor), gone);
    if (file === undefined) throw new AppError('not_found');
    // A download under way may outlast the link, but not the session or the right to read.
    const assertAllowed = async () => mayRead(await callerOf(services, request));
    return { file, actor, name, inline: disposition === 'i' && isShown(file.contentType), assertAllowed };
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { file, actor, name, inline, assertAllowed } = await linked(request, goneSignal(reply));
    downloads.begin(reply, actor.userId, assertAllowed);
    return sendStoredFile(services, request, reply, { file, disposition: contentDisposition(name, inline) });
  }

  await app.register(async (scope) => {
    scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
      const unreachable = error instanceof StorageError && error.code === 'unreachable';
      const cause = unreachable ? new AppError('busy', { cause: error }) : error;
      return sendUnexpectedError(cause, request, reply.header('cache-control', 'no-store'));
    });
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/files/:id',
      exposeHeadRoute: false,
      // Not compressed: byte ranges are those of the file, not of a compressed answer.
      compress: false,
      handler: send,
    });
  });
}
