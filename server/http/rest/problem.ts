import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import { AppError, type WireError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';

/** An error of the API, by RFC 9457. */
export type Problem = {
  type: 'about:blank';
  title: string;
  status: number;
  /** The kind of the error, for programs. */
  code: string;
  detail?: string;
  /** Sentences by parameter, header or field of the body. */
  errors?: Record<string, string>;
  /** The reference by which the operator finds the log line. */
  reference?: string;
};

const BUSY_SECONDS = 2;
/** Default sentences, by code. */
const DETAILS: Readonly<Partial<Record<WireError['code'], string>>> = {
  unauthenticated: 'The key is missing, unknown, revoked or expired.',
  forbidden: messages.common.forbidden,
};

/** The error of a call with a wrong parameter, header or field. */
export function invalidAt(name: string, sentence: string): AppError {
  return new AppError('invalid', { data: { fields: { [name]: sentence } } });
}

/** Answers with an error. @param errors sentences by parameter, header or field */
export function sendProblem(
  reply: FastifyReply,
  status: number,
  { code, message, reference, retryAfterSeconds }: WireError,
  errors: Record<string, string> = {},
): FastifyReply {
  // RFC 9110: when to retry after a limit, or after the server was busy for a moment.
  const wait = retryAfterSeconds ?? (status === 503 ? BUSY_SECONDS : undefined);
  if (wait !== undefined) reply.header('retry-after', wait);
  // RFC 6750: no error code if no key was sent.
  const wrongKey = reply.request.headers.authorization === undefined ? '' : ', error="invalid_token"';
  if (status === 401) reply.header('www-authenticate', `Bearer realm="Lintel"${wrongKey}`);
  if (status === 403) reply.header('www-authenticate', 'Bearer realm="Lintel", error="insufficient_scope"');
  const detail = message ?? DETAILS[code];
  const problem: Problem = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    ...(detail !== undefined && { detail }),
    ...(Object.keys(errors).length > 0 && { errors }),
    ...(reference !== undefined && { reference }),
  };
  return reply.code(status).type('application/problem+json').send(problem);
}
