import { getTRPCErrorFromUnknown } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '#shared/errors.ts';
import { isBusy } from '../../kernel/database-errors.ts';
import { isUnexpected, toTrpcError, toWireError } from '../../kernel/trpc.ts';
import { logUnexpected } from '../refusal.ts';
import { BODY_TYPES } from './fields.ts';
import { sendProblem } from './problem.ts';

/** Sentences by field of the procedure's input. */
export type Errors = Readonly<Record<string, unknown>>;

/** Statuses that differ from those of the app's own calls. */
const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  // Another person has changed the object that `If-Match` names.
  conflict: 412,
  // draft-ietf-httpapi-idempotency-key-header-07, 2.7: the same key with another body.
  operation_reused: 422,
};
const CODES_OF_FRAMEWORK: Readonly<Record<number, ErrorCode>> = { 413: 'too_large', 415: 'unsupported' };

/**
 * Answers with the error of a call, or of reading the request, also if the framework cannot find its route.
 * @param errorsOf names the wrong parameters or fields
 */
export function refuse(
  cause: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  errorsOf: (errors: Errors) => Record<string, string> = () => ({}),
): FastifyReply {
  const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : undefined;
  // An error of the framework: a header, a path or a body that cannot be read.
  if (status !== undefined && status >= 400 && status < 500) {
    // RFC 5789, 2.2.
    if (status === 415 && request.method === 'PATCH') reply.header('accept-patch', BODY_TYPES.join(', '));
    return sendProblem(reply, status, { code: CODES_OF_FRAMEWORK[status] ?? 'invalid' });
  }
  const error = errorOf(cause);
  if (isUnexpected(error)) logUnexpected(error.cause ?? error, request);
  const wire = toWireError(error, request.id);
  const errors = wire.code === 'invalid' ? errorsOf(wire.fields ?? {}) : {};
  return sendProblem(reply, STATUS[wire.code] ?? getHTTPStatusCodeFromError(error), wire, errors);
}

function errorOf(cause: unknown) {
  if (cause instanceof AppError) return toTrpcError(cause);
  return isBusy(cause) ? toTrpcError(new AppError('busy', { cause })) : getTRPCErrorFromUnknown(cause);
}
