import type { FastifyRequest } from 'fastify';
import type { FileRouter, RouteHandlerOptions } from 'uploadthing/types';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import type { UploadRoute } from '../../features/files/uploads.writes.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isBusy } from '../../kernel/database-errors.ts';
import { toTrpcError, toWireError } from '../../kernel/trpc.ts';
import { httpStatusOf, logUnexpected } from '../refusal.ts';
import { INGEST_PATH, INGEST_URL, tokenOf } from './upload-addresses.ts';

/** Answers a request of UploadThing's client, for a person. */
export type UploadRouter = (request: Request, ctx: SignedInContext, log: FastifyRequest) => Promise<Response>;

type Caller = { ctx: SignedInContext; log: FastifyRequest; refused?: AppError };
type Fetch = NonNullable<NonNullable<RouteHandlerOptions<FileRouter>['config']>['fetch']>;

/** Accepts any input. Each route parses its input with its own schema, which gives our own errors. */
const ANY_INPUT = {
  _input: null,
  _output: null as unknown,
  parseAsync: async (input: unknown): Promise<unknown> => input,
};

/** How long a presigned address works, in seconds. */
const ADDRESS_SECONDS = 3_600;

/**
 * Creates UploadThing's file router over our own ingest. Its library is loaded at the first use, because it is large.
 * One file is presigned at a time, so that each has its own id, address and answer.
 */
export async function createUploadRouter(
  apiKey: string,
  routes: readonly UploadRoute[],
): Promise<UploadRouter> {
  const { createRouteHandler, createUploadthing, UploadThingError, UTFiles } = await import(
    'uploadthing/server'
  );
  /**
   * The caller of each request, and the refusal. Found by the request, because the library passes the request on to the
   * middleware.
   */
  const callers = new WeakMap<Request, Caller>();

  const f = createUploadthing({
    errorFormatter: ({ cause }) => (cause instanceof AppError ? wireOf(cause) : { message: 'refused' }),
  });

  function fileRoute({ reserve }: UploadRoute) {
    const limits = {
      maxFileSize: '1024GB',
      maxFileCount: 1,
      acl: 'private',
      contentDisposition: 'attachment',
    } as const;
    return (
      f({ blob: limits }, { presignedURLTTL: ADDRESS_SECONDS })
        .input(ANY_INPUT)
        .middleware(async ({ req, input, files }) => {
          const caller = callers.get(req);
          const [file] = files;
          if (caller === undefined) throw new Error('a request that was not ours');
          try {
            if (file === undefined || files.length > 1)
              throw new AppError('invalid', { data: { fields: {} } });
            const declared = { name: file.name, bytes: file.size, contentType: file.type };
            const { id } = await reserve(caller.ctx, input, declared);
            // A lone surrogate in a name could not be encoded.
            const name = file.name.replace(/\p{Surrogate}/gu, '\ufffd');
            return { id, [UTFiles]: [{ ...file, name, customId: id }] };
          } catch (error) {
            const cause = asAppError(error, caller.log);
            caller.refused = cause;
            throw new UploadThingError({
              code: CODES[cause.code] ?? 'BAD_REQUEST',
              message: cause.message,
              cause,
            });
          }
        })
        // Never called: the ingest completes a file itself, in one transaction.
        .onUploadComplete(({ metadata }) => ({ id: metadata.id }))
    );
  }

  const handle = createRouteHandler({
    router: Object.fromEntries(routes.map((route) => [route.slug, fileRoute(route)])),
    config: {
      token: tokenOf(apiKey),
      ingestUrl: INGEST_URL,
      isDev: false,
      handleDaemonPromise: 'await',
      logLevel: 'Error',
      // The library registers each presigned upload with a service. For us, the row of the file is the registration.
      // The cast: the library's type of an answer is its own.
      fetch: (async () => Response.json({ ok: true })) as Fetch,
    },
  });

  return async (request, ctx, log) => {
    const caller: Caller = { ctx, log };
    callers.set(request, caller);
    const slug = new URL(request.url).searchParams.get('slug');
    // The library would write an unknown slug to the log as it is.
    if (slug !== null && !routes.some((route) => route.slug === slug)) throw new AppError('not_found');
    const answer = await handle(request);
    // The library has fewer statuses than we have.
    if (caller.refused !== undefined) {
      return new Response(await answer.text(), { status: httpStatusOf(caller.refused) });
    }
    if (!answer.ok || request.method !== 'POST') return answer;
    const text = await answer.text();
    const relative = text.replaceAll(`"url":"${INGEST_URL}/`, `"url":"${INGEST_PATH}/`);
    return new Response(relative, { status: answer.status, headers: { 'content-type': 'application/json' } });
  };
}

const CODES: Partial<Record<AppError['code'], 'FORBIDDEN' | 'NOT_FOUND' | 'INTERNAL_SERVER_ERROR'>> = {
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  busy: 'INTERNAL_SERVER_ERROR',
  internal: 'INTERNAL_SERVER_ERROR',
};

function asAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) {
    const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message]));
    return new AppError('invalid', { data: { fields } });
  }
  if (isBusy(error)) return new AppError('busy', { cause: error });
  logUnexpected(error, request);
  return new AppError('internal', { data: { reference: request.id } });
}

/** An error for the browser: our code and sentences, with the message also in the field where the library reads it. */
function wireOf(error: AppError) {
  const reference = error.code === 'internal' ? String(Reflect.get(Object(error.data), 'reference')) : '';
  const { code, fields = {}, retryAfterSeconds = 0 } = toWireError(toTrpcError(error), reference);
  const texts = Object.entries(fields).map(([name, text]) => [name, String(text)] as const);
  return { message: error.message, code, reference, retryAfterSeconds, fields: Object.fromEntries(texts) };
}
