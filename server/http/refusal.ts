import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { describeError } from '../kernel/database-errors.ts';
import { toTrpcError, toWireError } from '../kernel/trpc.ts';

const STATUS = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

/** The status of an answer with this error. */
export function httpStatusOf(error: AppError): number {
  const { code } = toTrpcError(error);
  return Object.hasOwn(STATUS, code) ? STATUS[code as keyof typeof STATUS] : 400;
}

/** Refuses a request before it reaches a procedure, in the same format as procedures do. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { code } = toTrpcError(error);
  const httpStatus = httpStatusOf(error);
  const app = toWireError(toTrpcError(error), request.id);
  if (app.retryAfterSeconds !== undefined) reply.header('retry-after', app.retryAfterSeconds);
  return reply
    .code(httpStatus)
    .type('application/json')
    .send({
      error: { message: app.code, code: TRPC_ERROR_CODES_BY_KEY[code], data: { code, httpStatus, app } },
    });
}

/** Answers an error of the framework (a body that is too large, an invalid path) or a bug. */
export function sendUnexpectedError(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof AppError) return sendError(request, reply, error);
  switch (error.statusCode) {
    case 413:
      return sendError(request, reply, new AppError('too_large'));
    case 415:
      return sendError(request, reply, new AppError('unsupported'));
    default:
      if (error.statusCode !== undefined && error.statusCode < 500) {
        return sendError(request, reply, new AppError('invalid', { data: { fields: {} } }));
      }
      logUnexpected(error, request);
      return sendError(request, reply, new AppError('internal', { data: { reference: request.id } }));
  }
}

/** Logs a bug or a fault of the machine, but not a client that left before the response. */
export function logUnexpected(error: unknown, request: FastifyRequest): void {
  const cut = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  const left = (cut && request.raw.socket.destroyed) || (error !== null && error === request.raw.errored);
  if (left) request.log.info('the client left before its answer');
  else request.log.error({ reference: request.id, causes: describeError(error) }, 'unexpected error');
}
