import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type AnyTRPCRouter as AnyRouter, callTRPCProcedure, getTRPCErrorFromUnknown } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { readApiKeyActor } from '../../access/api-keys.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import type { Context, Services } from '../../kernel/context.ts';
import { isBusy } from '../../kernel/database-errors.ts';
import { isLong } from '../../kernel/is-long.ts';
import { isUnexpected, toTrpcError, toWireError } from '../../kernel/trpc.ts';
import { CALL_LIMITS, type CallLimits } from '../call-limits.ts';
import { goneSignal } from '../gone-signal.ts';
import { jsonPieces } from '../json-pieces.ts';
import { logUnexpected } from '../refusal.ts';
import { createKeyHolders, type KeyHolder } from './key-holders.ts';
import { openApiDocument } from './open-api.ts';
import { type Operation, operations } from './operations.ts';
import { errorsByParameter, formatCursor, parametersOf, readInput } from './parameters.ts';
import { sendProblem } from './problem.ts';
import { referencePage } from './reference-page.ts';

const PREFIX = '/api/v1';
const PUBLIC = 'public, max-age=300';

/**
 * Mounts the API for other programs: operations that call the app's own queries with the key's permissions and buildings,
 * their description, and a page to read. There is no rule in it: guards, schemas and limits are the procedures'.
 * @param router the procedures
 */
export async function mountRestApi(
  app: FastifyInstance,
  services: Services,
  router: AnyRouter,
  limits: CallLimits = CALL_LIMITS,
): Promise<void> {
  const holders = createKeyHolders(services, limits);

  function contextOf(request: FastifyRequest, { actor, key }: KeyHolder): Context {
    return {
      services,
      actor,
      reread: () => readApiKeyActor(services.db, key, services.clock.now()),
      requestId: request.id,
      ...services.clientOf(request.raw),
      setCookie: () => undefined,
    };
  }

  async function call(
    { procedure }: Operation,
    input: Record<string, unknown>,
    ctx: Context,
    reply: FastifyReply,
  ): Promise<unknown> {
    const answer: unknown = await callTRPCProcedure({
      ...{ router, path: procedure, type: 'query', batchIndex: 0 },
      ctx,
      getRawInput: async () => input,
      signal: goneSignal(reply),
    });
    // Each of the queries is a snapshot, whose position means nothing here.
    return (answer as { data: unknown }).data;
  }

  function mount(scope: FastifyInstance, operation: Operation): void {
    const parameters = parametersOf(operation);
    const names = Object.keys(operation.row.schema.shape);
    const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    scope.get<{ Params: Record<string, string> }>(url, async (request, reply) => {
      const query = queryOf(request);
      try {
        const holder = await holders.find(request, reply);
        const input = readInput(parameters, request.params, query);
        const answer = await call(operation, input, contextOf(request, holder), reply);
        reply.header('cache-control', 'private, no-cache').type('application/json');
        if (operation.answers === 'one') return sendOne(request, reply, picked(answer, names));
        const { rows, nextCursor } = operation.pageOf(answer, operation.input.parse(input));
        const page = {
          data: rows.map((row) => picked(row, names)),
          nextCursor: nextCursor === null ? null : formatCursor(nextCursor),
        };
        if (!isLong(page)) return reply.send(JSON.stringify(page));
        return reply.send(withErrorListener(Readable.from(jsonPieces(page), { objectMode: false })));
      } catch (cause) {
        return refuse(request, reply, cause, (fields) => {
          const errors = errorsByParameter(parameters, fields);
          const isWithout = Object.keys(errors).length === 0;
          return isWithout && query.has('cursor') ? { cursor: 'Not a cursor of this list' } : errors;
        });
      }
    });
  }

  await app.register(
    async (scope) => {
      scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) =>
        refuse(request, reply, error),
      );
      const addresses = operations.map(
        ({ path }) => new RegExp(`^${PREFIX}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      );
      // Before a body is read, which is of no use.
      scope.addHook('onRequest', async (request, reply) => {
        if (request.method === 'GET' || request.method === 'HEAD') return undefined;
        const path = request.url.split('?', 1)[0] ?? '';
        const isFound =
          [PREFIX, `${PREFIX}/openapi.json`].includes(path) || addresses.some((one) => one.test(path));
        if (!isFound) return refuse(request, reply, new AppError('not_found'));
        reply.header('allow', 'GET, HEAD');
        return sendProblem(reply, 405, { code: 'unsupported' });
      });
      // Everything else below the prefix, which would otherwise get the app's page.
      scope.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
        url: '/*',
        handler: (request, reply) => refuse(request, reply, new AppError('not_found')),
      });
      for (const operation of operations) mount(scope, operation);
      for (const [url, type, body] of [
        ['/openapi.json', 'application/json', JSON.stringify(openApiDocument())],
        ['', 'text/html; charset=utf-8', referencePage()],
      ] as const) {
        scope.get(url, (request, reply) => {
          holders.countByNetwork(request);
          return reply.header('cache-control', PUBLIC).type(type).send(body);
        });
      }
    },
    { prefix: PREFIX },
  );
}

/**
 * Answers with the error of a call, or of reading it.
 * @param errorsOf names the parameters of the fields that are wrong
 */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  cause: unknown,
  errorsOf: (fields: Readonly<Record<string, unknown>>) => Record<string, string> = () => ({}),
): FastifyReply {
  const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : undefined;
  // The framework's: a header or a path that cannot be read.
  if (status !== undefined && status >= 400 && status < 500)
    return sendProblem(reply, status, { code: 'invalid' });
  const error = errorOf(cause);
  if (isUnexpected(error)) logUnexpected(error.cause ?? error, request);
  const wire = toWireError(error, request.id);
  const errors = wire.code === 'invalid' ? errorsOf(wire.fields ?? {}) : {};
  return sendProblem(reply, getHTTPStatusCodeFromError(error), wire, errors);
}

function errorOf(cause: unknown) {
  if (cause instanceof AppError) return toTrpcError(cause);
  return isBusy(cause) ? toTrpcError(new AppError('busy', { cause })) : getTRPCErrorFromUnknown(cause);
}

function queryOf({ raw }: FastifyRequest): URLSearchParams {
  const url = raw.url ?? '';
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
}

/** @throws AppError `not_found` where the query answers with null */
function picked(row: unknown, names: readonly string[]): Record<string, unknown> {
  if (row === null || typeof row !== 'object') throw new AppError('not_found');
  return Object.fromEntries(names.map((name) => [name, row[name as keyof typeof row]]));
}

/**
 * Answers with a row and an ETag; 304 if the caller has the same (RFC 9110). Made from the row as it is sent, because names of
 * buildings and people in it change without its version; weak, because compressed answers have the same.
 */
function sendOne(request: FastifyRequest, reply: FastifyReply, row: Record<string, unknown>): FastifyReply {
  const text = JSON.stringify(row);
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', `W/${tag}`);
  const has = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return has?.some((one) => one === tag || one === '*') === true ? reply.code(304).send() : reply.send(text);
}
