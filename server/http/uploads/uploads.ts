import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { fileMessages } from '#shared/features/files/files-messages.ts';
import { messages } from '#shared/messages.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import type { Receiver } from '../../features/files/receive.ts';
import type { UploadRoute } from '../../features/files/uploads.writes.ts';
import type { Services, SignedInContext } from '../../kernel/context.ts';
import { CALL_LIMITS, CallLimiter } from '../call-limits.ts';
import { ConcurrencyLimit } from '../concurrency.ts';
import { sendUnexpectedError } from '../refusal.ts';
import { contextOf, signedCallerOf } from '../request-actor.ts';
import { receiveBody, toUploadError } from './receive-body.ts';
import { INGEST_PATH, readUploadAddress } from './upload-addresses.ts';
import { createUploadRouter, type UploadRouter } from './upload-router.ts';

/** Uploads that one person may have in progress: the page sends four at a time, and a second window may, too. */
const AT_ONCE = 8;
/** A presign call is small, but may carry a thumbnail of 40 kB. */
const PRESIGN_MAX = 128 * 1024;
const MADE_BY = 'http://lintel.invalid';
const idSchema = z.uuid();

type Route = { Body: Readable | undefined };

/**
 * Uploads by UploadThing's protocol: the file router at `/api/uploadthing`, and our own ingest at `/ut`. At the ingest, HEAD
 * returns how many bytes are stored, PUT continues from there, GET returns the hashes of the stored pieces, and DELETE ends
 * the upload.
 */
export async function mountUploads(
  app: FastifyInstance,
  services: Services,
  receiver: Receiver,
  routes: readonly UploadRoute[],
): Promise<void> {
  const limit = new ConcurrencyLimit(AT_ONCE);
  const hashings = new ConcurrencyLimit(AT_ONCE);
  const presigns = new CallLimiter(CALL_LIMITS.person);
  let router: Promise<UploadRouter> | undefined;
  const apiKey = () => `sk_${services.links.keyFor('uploads')}`;

  /** The upload of an address, with the caller's context. An expired address is accepted only for ending the upload. */
  async function addressed(request: FastifyRequest): Promise<{ ctx: SignedInContext; id: string }> {
    const address = readUploadAddress(apiKey(), request.raw.url ?? '');
    if (address === undefined) throw new AppError('forbidden');
    const ctx = contextOf(services, request, await signedCallerOf(services, request));
    const id = idSchema.safeParse(address.id).data;
    if (id === undefined) throw new AppError('not_found');
    if (request.method !== 'DELETE' && address.expiresAt < services.clock.now().getTime()) {
      throw new AppError('forbidden', { message: fileMessages.addressExpired });
    }
    return { ctx, id };
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) =>
      refuse(request, reply, error),
    );
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    scope.route<Route>({
      method: ['GET', 'POST'],
      url: '/api/uploadthing',
      exposeHeadRoute: false,
      async handler(request, reply) {
        const isPost = request.method === 'POST';
        const isJson = request.headers['content-type']?.startsWith('application/json') === true;
        // A page of another site cannot send this type without a preflight, which is not answered.
        if (isPost && !isJson) throw new AppError('unsupported');
        const ctx = contextOf(services, request, await signedCallerOf(services, request));
        const wait = presigns.take(ctx.actor.userId, 1);
        if (wait > 0) {
          throw new AppError('rate_limited', {
            data: { retryAfterSeconds: wait },
            message: messages.common.rateLimited(wait),
          });
        }
        router ??= createUploadRouter(apiKey(), routes);
        const body = isPost && request.body !== undefined ? await textOf(request.body) : null;
        const headers = new Headers();
        for (const [name, value] of Object.entries(request.headers)) {
          if (typeof value === 'string' && name !== 'content-length') headers.set(name, value);
        }
        const asked = new Request(`${MADE_BY}${request.raw.url}`, { method: request.method, headers, body });
        const answer = await (await router)(asked, ctx, request);
        return reply
          .code(answer.status)
          .type('application/json')
          .send(await answer.text());
      },
    });

    scope.head(`${INGEST_PATH}/:key`, async (request, reply) => {
      const { ctx, id } = await addressed(request);
      const { received } = await receiver.progress(ctx, id);
      return reply.header('x-ut-range-start', received).send();
    });

    scope.get(`${INGEST_PATH}/:key`, { exposeHeadRoute: false }, async (request, reply) => {
      const { ctx, id } = await addressed(request);
      const release = hashings.take(ctx.actor.userId);
      if (release === undefined) throw new AppError('busy');
      const pieces = receiver.pieces(ctx, id, () => reply.raw.destroyed);
      return reply.send(await pieces.finally(release));
    });

    scope.delete(`${INGEST_PATH}/:key`, async (request, reply) => {
      const { ctx, id } = await addressed(request);
      return reply.send(await receiver.cancel(ctx, id));
    });

    scope.put<Route>(
      `${INGEST_PATH}/:key`,
      { bodyLimit: Number.MAX_SAFE_INTEGER },
      async (request, reply) => {
        const { ctx, id } = await addressed(request);
        const offset = offsetOf(request.headers.range);
        const again = async () => contextOf(services, request, await signedCallerOf(services, request));
        const upload = { receiver, limit, ctx, id, offset, again };
        const { received, bytes, answer } = await receiveBody(request, reply, upload);
        if (answer === undefined) {
          return reply.code(400).send({ error: fileMessages.incomplete, received, bytes });
        }
        const url = `/files/${id}`;
        return reply.send({ url, appUrl: url, ufsUrl: url, fileHash: id, serverData: answer });
      },
    );
  });
}

/** Answers with an error, and drops the rest of the refused body, so that its sender reads the answer. */
function refuse(request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  request.raw.resume();
  if (error instanceof StorageError && error.code === 'gap') {
    return reply.code(416).send({ error: fileMessages.beyondTheEnd });
  }
  return sendUnexpectedError(toAppError(error), request, reply);
}

function toAppError(error: Error): Error {
  const full = (cause: unknown) =>
    new AppError('busy', { message: messages.common.serverFull, data: { thisOnly: true }, cause });
  return toUploadError(error, { full, tooLarge: fileMessages.longerThanDeclared });
}

/** @throws AppError `invalid` for anything but `bytes=N-` */
function offsetOf(range: string | undefined): number {
  if (range === undefined) return 0;
  const [, start] = /^bytes=(\d{1,15})-$/.exec(range) ?? [];
  if (start === undefined) throw new AppError('invalid', { data: { fields: {} } });
  return Number(start);
}

async function textOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.byteLength;
    if (length > PRESIGN_MAX) throw new AppError('too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
