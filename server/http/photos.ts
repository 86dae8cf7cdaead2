import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { PHOTO_MAX_BYTES, UPLOAD_OFFSET } from '#shared/features/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { StorageError } from '../adapters/storage/storage.ts';
import { noRoom } from '../features/photos/photo-quota.ts';
import { receivePhoto } from '../features/photos/photos.commands.ts';
import { bytesToCome, photoToServe, readThumbnail } from '../features/photos/photos.queries.ts';
import type { Services, SignedInContext } from '../kernel/context.ts';
import { isBusy } from '../kernel/database-errors.ts';
import { byteRangeOf } from './byte-range.ts';
import { ConcurrencyLimit } from './concurrency.ts';
import { sendError, sendUnexpectedError } from './refusal.ts';
import { callerOf } from './request-actor.ts';

/** Photo uploads that one person may have in progress. */
const AT_ONCE = 6;
/** If a photo were ever opened as a page, it could run nothing and load nothing. */
const PICTURE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const idSchema = z.uuid();
const offsetSchema = z.coerce.number().int().min(0).max(PHOTO_MAX_BYTES);

type Route = { Params: { id: string }; Body: Readable };

/** Routes for photos: resumable uploads, and downloads. */
export async function mountPhotos(app: FastifyInstance, services: Services): Promise<void> {
  const { db, storage, parts } = services;
  const limit = new ConcurrencyLimit(AT_ONCE);

  await app.register(async (scope) => {
    // Bytes only: fifteen megabytes of JSON would be parsed before the caller is checked, and block all requests.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) =>
      error instanceof AppError
        ? sendError(request, reply, error)
        : sendUnexpectedError(error, request, reply),
    );

    scope.put<Route>('/files/photos/:id', { bodyLimit: PHOTO_MAX_BYTES }, async (request, reply) => {
      const ctx = contextOf(request, await callerOf(services, request));
      const id = idOf(request.params.id);
      const offset = offsetSchema.safeParse(request.headers[UPLOAD_OFFSET]).data;
      if (offset === undefined || request.body === undefined) throw invalid();
      const release = limit.take(ctx.actor.userId);
      if (release === undefined) throw new AppError('busy');
      try {
        return await reply
          .header('cache-control', 'no-store')
          .send(await take(ctx, id, offset, request.body));
      } catch (error) {
        throw toAppError(error);
      } finally {
        release();
      }
    });

    scope.get<Route>('/files/photos/:id', async (request, reply) => {
      const actor = await callerOf(services, request);
      const photo = await photoToServe(db, actor, idOf(request.params.id));
      describe(reply, photo.contentType, `"${photo.sha256}"`);
      reply.header(
        'content-disposition',
        `inline; filename="photo-${dayOf(photo.takenAt)}.${photo.contentType.slice('image/'.length)}"`,
      );
      if (request.headers['if-none-match'] === `"${photo.sha256}"`) return reply.code(304).send();
      const range = byteRangeOf(request.headers.range, photo.bytes);
      reply.header('accept-ranges', 'bytes');
      if (range === 'unsatisfiable') {
        return reply.code(416).header('content-range', `bytes */${photo.bytes}`).send();
      }
      const file = await storage.get(photo.key, range);
      if (file === undefined) {
        request.log.error({ photo: photo.id }, 'the file of a photo is missing');
        throw new AppError('not_found');
      }
      if (range !== undefined) {
        reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
      }
      const length = range === undefined ? file.bytes : range.end - range.start + 1;
      return reply.header('content-length', length).send(file.stream);
    });

    scope.get<Route>('/files/photos/:id/thumbnail', async (request, reply) => {
      const actor = await callerOf(services, request);
      const photo = await photoToServe(db, actor, idOf(request.params.id));
      const small = await readThumbnail(db, photo.id);
      if (small === undefined) throw new AppError('not_found');
      const etag = `"t${photo.sha256}"`;
      // The kind was verified on arrival: JPEG or WebP.
      describe(reply, small[0] === 0xff ? 'image/jpeg' : 'image/webp', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.send(small);
    });
  });

  async function take(ctx: SignedInContext, id: string, offset: number, body: Readable) {
    const total = await bytesToCome(db, ctx.actor, id);
    if (total === undefined) {
      body.resume();
      return receivePhoto(ctx, id);
    }
    const received = await append(ctx, id, offset, body, total);
    return received === total ? receivePhoto(ctx, id) : { id, version: 1, received, stored: false };
  }

  /**
   * Appends to an upload. If the photo was refused, swept or completed meanwhile, no row accounts for the bytes, so
   * they are deleted at once.
   */
  async function append(ctx: SignedInContext, id: string, offset: number, body: Readable, total: number) {
    try {
      return await parts.append(id, offset, body, total);
    } finally {
      if ((await bytesToCome(db, ctx.actor, id).catch(goneAsUndefined)) === undefined) await parts.delete(id);
    }
  }

  function contextOf(request: FastifyRequest, actor: SignedInContext['actor']): SignedInContext {
    return {
      services,
      actor,
      requestId: request.id,
      ...services.clientOf(request.raw),
      setCookie: () => undefined,
    };
  }
}

function goneAsUndefined(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}

function describe(reply: FastifyReply, type: string, etag: string): void {
  reply
    .type(type)
    .header('etag', etag)
    // Cached but revalidated each time, because access may have been lost since.
    .header('cache-control', 'private, no-cache')
    .header('content-security-policy', PICTURE_POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer');
}

function idOf(text: string): string {
  const id = idSchema.safeParse(text).data;
  if (id === undefined) throw new AppError('not_found');
  return id.toLowerCase();
}

function invalid(): AppError {
  return new AppError('invalid', { data: { fields: {} } });
}

function toAppError(error: unknown): unknown {
  if (isBusy(error)) return new AppError('busy', { cause: error });
  if (!(error instanceof StorageError)) return error;
  switch (error.code) {
    case 'full':
      return noRoom(photoMessages.serverFull, error);
    case 'too_large':
      return new AppError('too_large', { message: photoMessages.tooLarge, cause: error });
    default:
      // A gap: the phone asks how much has arrived, and continues from there.
      return new AppError('conflict', { data: { fields: {}, version: 0 }, cause: error });
  }
}
