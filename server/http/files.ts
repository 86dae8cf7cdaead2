import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { fileMessages } from '#shared/features/files-messages.ts';
import { StorageError } from '../adapters/storage/storage.ts';
import { isShown, plainType } from '../features/files/content-type.ts';
import { readStoredFile } from '../features/files/files.queries.ts';
import type { FilePurpose, FileRow } from '../features/files/files.writes.ts';
import { storeOf } from '../features/files/store-of.ts';
import type { Services } from '../kernel/context.ts';
import { byteRangeOf } from './byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import { sendUnexpectedError } from './refusal.ts';
import { callerOf } from './request-actor.ts';

/** If a file is opened as a page of its own, nothing in it runs, and it loads nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; frame-ancestors 'self'";
const PDF = 'application/pdf';
const LINK =
  /^\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\?d=([ia])&e=(\d{1,12})&u=([0-9a-f-]{36})$/;

/**
 * `/files/{id}`: the bytes of a file, to the person for whom the link was made, with their session, and as long as its
 * purpose lets them (rule U9). They always pass through this server, wherever they are stored.
 */
export async function mountFiles(
  app: FastifyInstance,
  services: Services,
  purposes: readonly FilePurpose[],
): Promise<void> {
  const { db, links, clock } = services;

  /** The file behind a link, its name, and whether it may be shown. */
  async function linked(request: FastifyRequest) {
    const [, id = '', disposition, expires, person] =
      LINK.exec(links.verify(request.raw.url ?? '') ?? '') ?? [];
    if (id === '') throw new AppError('forbidden', { message: fileMessages.linkInvalid });
    const actor = await callerOf(services, request);
    if (actor.userId !== person) throw new AppError('forbidden', { message: fileMessages.linkInvalid });
    if (Number(expires) * 1_000 <= clock.now().getTime()) {
      throw new AppError('forbidden', { message: fileMessages.linkExpired });
    }
    const file = await readStoredFile(db, id);
    const purpose = purposes.find(({ name }) => name === file?.purpose);
    const known = await purpose?.mayRead(db, actor, id);
    if (file === undefined || known === undefined) throw new AppError('not_found');
    return { file, name: known.name, inline: disposition === 'i' && isShown(file.contentType) };
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { file, name, inline } = await linked(request);
    const etag = `"${file.sha256}"`;
    describe(reply, file, etag).header('content-disposition', contentDisposition(name, inline));
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const condition = request.headers['if-range'];
    const wanted = condition === undefined || condition === etag ? request.headers.range : undefined;
    const range = byteRangeOf(wanted, file.bytes);
    if (range === 'unsatisfiable') {
      return reply.code(416).header('content-range', `bytes */${file.bytes}`).send();
    }
    const { storage } = storeOf(services, file);
    const isHead = request.method === 'HEAD';
    const found = isHead ? await storage.head(file.key) : await storage.get(file.key, range);
    if (found === undefined || found.bytes !== file.bytes) {
      request.log.error({ file: file.id, store: file.store }, 'the bytes of a file are missing');
      throw new AppError('not_found');
    }
    const length = range === undefined ? file.bytes : range.end - range.start + 1;
    reply.header('content-length', length);
    if (range !== undefined) {
      reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
    }
    return reply.send('stream' in found ? found.stream : undefined);
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
      // A compressed answer could be asked for in parts that belong to no file.
      compress: false,
      handler: send,
    });
  });
}

function describe(reply: FastifyReply, file: FileRow, etag: string): FastifyReply {
  const type = plainType(file.contentType);
  return (
    reply
      .type(file.contentType)
      .header('etag', etag)
      .header('accept-ranges', 'bytes')
      // Cached but revalidated each time, because access may have been lost since.
      .header('cache-control', 'private, no-cache')
      // Chromium shows no PDF in a sandbox; its viewer runs none of a page's scripts.
      .header('content-security-policy', type === PDF ? POLICY : `sandbox; ${POLICY}`)
      .header('x-frame-options', 'SAMEORIGIN')
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
  );
}

/** Tells whether an `If-None-Match` names this tag. */
function namesTag(header: string | undefined, etag: string): boolean {
  return (
    header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*') ?? false
  );
}
