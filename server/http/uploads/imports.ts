import { PassThrough, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import {
  IMPORT_KINDS,
  IMPORT_MAX_BYTES,
  IMPORTS,
  type ImportCheck,
  type ImportKind,
  type ImportProgress,
} from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { CsvReader } from '../../features/imports/csv-reader.ts';
import { checkImport, type ReadFile, runImport, runLinks } from '../../features/imports/imports.ts';
import { createYielder } from '../../kernel/concurrency/yield-to-event-loop.ts';
import type { Services } from '../../kernel/context.ts';
import { isBusy, isUnstorable } from '../../kernel/database-errors.ts';
import { assertRecentAuthentication } from '../../kernel/sign-in/recent-authentication.ts';
import { toTrpcError, toWireError } from '../../kernel/trpc.ts';
import { ByteRate, discardBody, takeBody } from '../byte-rate.ts';
import { ConcurrencyLimit } from '../concurrency.ts';
import { goneSignal } from '../gone-signal.ts';
import { logUnexpected, sendError } from '../refusal.ts';
import { contextOf, permittedActor } from '../request-actor.ts';

const MEGABYTE = 1024 * 1024;
/** Files in memory at a time, up to ten megabytes each. */
const FILES_AT_ONCE = 4;
const ROWS_AT_ONCE = 100;
/** Bytes per second of all accepted files together: the largest takes about two seconds. */
const TAKEN_PER_SECOND = 6 * MEGABYTE;
/** Bytes per second of all refused files together. */
const REFUSED_PER_SECOND = 2 * MEGABYTE;
/** The key of limits shared by all people. */
const ALL = '';
const operationIdSchema = z.uuid();
type Route = { Params: { kind: string }; Querystring: { operationId?: string }; Body: Readable | undefined };

/** CSV imports: `check` reports the effect of a file, `run` applies it and streams its progress. */
export async function mountImports(app: FastifyInstance, services: Services): Promise<void> {
  /** One file per person, from the upload to the response. */
  const people = new ConcurrencyLimit(1);
  const files = new ConcurrencyLimit(FILES_AT_ONCE);
  /** Only one file is parsed, checked or stored at a time; other requests are answered `busy`. */
  const work = new ConcurrencyLimit(1);
  const takenRate = new ByteRate(TAKEN_PER_SECOND);
  const refusedRate = new ByteRate(REFUSED_PER_SECOND);
  const reader = new CsvReader();
  app.addHook('onClose', () => reader.stop());

  function take(limit: ConcurrencyLimit, key: string): () => void {
    const release = limit.take(key);
    if (release === undefined) throw new AppError('busy', { message: importMessages.busy });
    return release;
  }

  function answer(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    if (!request.raw.complete) void discardBody(request.raw, refusedRate);
    return sendError(request, reply, toAppError(error, request));
  }

  /** @param signal aborts the reading */
  async function fileOf(
    kind: ImportKind,
    request: FastifyRequest<Route>,
    limits: { signal?: AbortSignal } = {},
  ): Promise<ReadFile> {
    const bytes = await bytesOf(request);
    return (row) => reader.read(kind, bytes, row, limits);
  }

  async function bytesOf(request: FastifyRequest<Route>): Promise<Buffer<SharedArrayBuffer>> {
    if (request.body === undefined) throw new AppError('unsupported');
    const bytes = await takeBody(request.body, lengthOf(request), IMPORT_MAX_BYTES, takenRate);
    if (bytes !== undefined) return bytes;
    throw new AppError('too_large', { message: importMessages.tooLarge(IMPORT_MAX_BYTES / MEGABYTE) });
  }

  await app.register(async (scope) => {
    // CSV only: parsing ten megabytes of JSON would block all requests for a tenth of a second.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler((error, request, reply) => answer(request, reply, error));
    // Checked before the body is read.
    scope.addHook<Route>('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const kind = kindOf(request.params.kind);
      const { userId } = await permittedActor(services, request, IMPORTS[kind].permission);
      for (const [limit, key] of [[people, userId] as const, [files, ALL] as const]) {
        const release = take(limit, key);
        if (reply.raw.closed) release();
        else reply.raw.once('close', release);
      }
    });

    scope.post<Route>(
      '/files/import/:kind/check',
      { bodyLimit: IMPORT_MAX_BYTES },
      async (request, reply) => {
        try {
          const kind = kindOf(request.params.kind);
          const actor = await permittedActor(services, request, IMPORTS[kind].permission);
          const file = await fileOf(kind, request, { signal: goneSignal(reply) });
          const release = take(work, ALL);
          const check = await checkImport(services, actor, kind, file).finally(release);
          return await reply
            .type('application/json; charset=utf-8')
            .send(withErrorListener(Readable.from(jsonOf(check))));
        } catch (error) {
          return answer(request, reply, error);
        }
      },
    );

    scope.post<Route>(
      '/files/import/:kind/links',
      { bodyLimit: IMPORT_MAX_BYTES },
      async (request, reply) => {
        try {
          if (kindOf(request.params.kind) !== 'people') throw new AppError('not_found');
          const actor = await permittedActor(services, request, IMPORTS.people.permission);
          await assertRecentAuthentication(services, actor);
          const operationId = operationIdSchema.safeParse(request.query.operationId).data;
          if (operationId === undefined) throw new AppError('invalid', { data: { fields: {} } });
          const file = await fileOf('people', request);
          const release = take(work, ALL);
          const made = runLinks(contextOf(services, request, actor), file, operationId);
          return await reply.send(await made.finally(release));
        } catch (error) {
          return answer(request, reply, error);
        }
      },
    );

    scope.post<Route>(
      '/files/import/:kind/run',
      // Not compressed, because the compressor would hold progress lines back.
      { bodyLimit: IMPORT_MAX_BYTES, compress: false },
      async (request, reply) => {
        const kind = kindOf(request.params.kind);
        const actor = await permittedActor(services, request, IMPORTS[kind].permission);
        // An import of people assigns roles and buildings.
        if (kind === 'people') await assertRecentAuthentication(services, actor);
        const operationId = operationIdSchema.safeParse(request.query.operationId).data;
        if (operationId === undefined) throw new AppError('invalid', { data: { fields: {} } });
        const file = await fileOf(kind, request);
        const release = take(work, ALL);
        const lines = withErrorListener(new PassThrough());
        const write = (line: ImportProgress) => {
          if (!lines.destroyed) lines.write(`${JSON.stringify(line)}\n`);
        };
        // Continues if the client leaves; a repeated request gets the stored answer.
        runImport(contextOf(services, request, actor), kind, file, operationId, (done, total) =>
          write({ done, total }),
        )
          .then((result) => write({ result }))
          .catch((error: unknown) => {
            const { code, message } = toWireError(toTrpcError(toAppError(error, request)), request.id);
            write({ error: { code, ...(message === undefined ? {} : { message }) } });
          })
          .finally(() => {
            release();
            lines.end();
          });
        return reply.type('application/x-ndjson').send(lines);
      },
    );
  });
}

/**
 * A check as JSON in pieces, yielding to the event loop between them: as one text it would block for a tenth of a second.
 */
async function* jsonOf({ rows, ...rest }: ImportCheck): AsyncGenerator<string, void, undefined> {
  const turn = createYielder();
  yield `${JSON.stringify(rest).slice(0, -1)},"rows":[`;
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const piece = JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE)).slice(1, -1);
    yield at === 0 ? piece : `,${piece}`;
    await turn();
  }
  yield ']}';
}

function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (isBusy(error)) return new AppError('busy', { cause: error });
  if (isUnstorable(error)) return new AppError('invalid', { data: { fields: {} }, cause: error });
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined;
  if (status === 415) return new AppError('unsupported');
  if (typeof status === 'number' && status < 500) return new AppError('invalid', { data: { fields: {} } });
  logUnexpected(error, request);
  return new AppError('internal', { data: { reference: request.id } });
}

function kindOf(text: string): ImportKind {
  const kind = IMPORT_KINDS.find((known) => known === text);
  if (kind === undefined) throw new AppError('not_found');
  return kind;
}

/** @returns the declared length of the body in bytes, undefined if not declared */
function lengthOf(request: FastifyRequest): number | undefined {
  const length = request.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}
