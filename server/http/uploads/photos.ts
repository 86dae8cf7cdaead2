import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import type { PhotoProgress } from '#shared/features/photos/photos.ts';
import { PHOTO_MAX_BYTES, UPLOAD_OFFSET } from '#shared/features/photos/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import type { Actor } from '../../access/actor.ts';
import type { Receiver } from '../../features/files/receive.ts';
import { noRoom } from '../../features/photos/photo-quota.ts';
import { photoName } from '../../features/photos/photo-row.ts';
import { photoToServe, photoUpload, readThumbnail } from '../../features/photos/photos.queries.ts';
import type { Services, SignedInContext } from '../../kernel/context.ts';
import { ConcurrencyLimit } from '../concurrency.ts';
import type { Downloads } from '../downloads/downloads.ts';
import { sendStoredFile } from '../downloads/send-stored-file.ts';
import { sendThumbnail } from '../downloads/send-thumbnail.ts';
import { goneSignal } from '../gone-signal.ts';
import { sendUnexpectedError } from '../refusal.ts';
import { callerOf, contextOf } from '../request-actor.ts';
import { receiveBody, toUploadError } from './receive-body.ts';

/** Photo uploads that one person may have in progress. */
const AT_ONCE = 6;
const idSchema = z.uuid();
const offsetSchema = z.coerce.number().int().min(0).max(PHOTO_MAX_BYTES);

type Params = { Params: { id: string } };
type Upload = Params & { Body: Readable | undefined };

/**
 * Routes for photos: downloads, and uploads in pieces that a phone can resume. The files layer stores the bytes; only the
 * protocol is that of the phones' send queue.
 */
export async function mountPhotos(
  app: FastifyInstance,
  services: Services,
  receiver: Receiver,
  downloads: Downloads,
): Promise<void> {
  const { db } = services;
  const limit = new ConcurrencyLimit(AT_ONCE);

  await app.register(async (scope) => {
    // Bytes only: fifteen megabytes of JSON would be parsed before the caller is checked, and block all requests.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) =>
      sendUnexpectedError(toAppError(error), request, reply),
    );

    scope.put<Upload>('/files/photos/:id', { bodyLimit: PHOTO_MAX_BYTES }, async (request, reply) => {
      const ctx = contextOf(services, request, await callerOf(services, request));
      const id = idOf(request.params.id);
      const offset = offsetSchema.safeParse(request.headers[UPLOAD_OFFSET]).data;
      if (offset === undefined || request.body === undefined) throw invalid();
      const progress = await take(request, reply, { ctx, id, offset });
      return reply.header('cache-control', 'no-store').send(progress);
    });

    scope.route<Params>({
      method: ['GET', 'HEAD'],
      url: '/files/photos/:id',
      exposeHeadRoute: false,
      // Not compressed: byte ranges are those of the file, not of a compressed answer.
      compress: false,
      async handler(request, reply) {
        const readFor = async (actor: Actor) => {
          const photo = await photoToServe(db, actor, idOf(request.params.id));
          if (photo === undefined) throw new AppError('not_found');
          return photo;
        };
        const actor = await callerOf(services, request);
        const photo = await services.reads.run(actor.userId, () => readFor(actor), goneSignal(reply));
        downloads.begin(reply, actor.userId, async () => readFor(await callerOf(services, request)));
        const disposition = `inline; filename="${photoName(photo)}"`;
        return sendStoredFile(services, request, reply, { file: photo.file, disposition });
      },
    });

    scope.get<Params>('/files/photos/:id/thumbnail', async (request, reply) => {
      const actor = await callerOf(services, request);
      const id = idOf(request.params.id);
      const read = async () => {
        const photo = await photoToServe(db, actor, id);
        const picture = photo && (await readThumbnail(db, photo.file.id));
        return picture && { picture, sha256: photo.file.sha256 ?? '' };
      };
      const found = await services.reads.run(actor.userId, read, goneSignal(reply));
      if (found === undefined) throw new AppError('not_found');
      return sendThumbnail(request, reply, found);
    });
  });

  async function take(
    request: FastifyRequest<Upload>,
    reply: FastifyReply,
    { ctx, id, offset }: { ctx: SignedInContext; id: string; offset: number },
  ): Promise<PhotoProgress> {
    const before = await photoUpload(db, ctx.actor, id);
    if (before.stored) return { id, version: before.version, received: before.bytes, stored: true };
    const again = async () => contextOf(services, request, await callerOf(services, request));
    const upload = { receiver, limit, ctx, id, offset, again };
    const { received, answer } = await receiveBody(request, reply, upload);
    if (answer === undefined) return { id, version: before.version, received, stored: false };
    const { version } = await photoUpload(db, ctx.actor, id);
    return { id, version, received, stored: true };
  }
}

function idOf(text: string): string {
  const id = idSchema.safeParse(text).data;
  if (id === undefined) throw new AppError('not_found');
  return id.toLowerCase();
}

function invalid(): AppError {
  return new AppError('invalid', { data: { fields: {} } });
}

function toAppError(error: Error): Error {
  return toUploadError(error, {
    full: (cause) => noRoom(photoMessages.serverFull, cause),
    tooLarge: photoMessages.tooLarge,
    // The bytes are dropped, and the phone starts again.
    mismatch: (cause) =>
      new AppError('conflict', {
        message: photoMessages.damaged,
        data: { fields: { received: 0 }, version: 0 },
        cause,
      }),
  });
}
