import { initTRPC, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { AppError, type ErrorCode, type WireError } from '#shared/errors.ts';
import type { Permission } from '#shared/permissions.ts';
import { administratorExists, everHadPermission } from '../access/people.ts';
import { withConsistentAccess } from './consistent-access.ts';
import type { Context, SignedInContext } from './context.ts';
import { isBusy, isUnstorable } from './database-errors.ts';

/** How a procedure is guarded, readable at `procedure._def.meta`: every one declares exactly one of these. */
export type Guard = 'open' | 'signedIn' | Permission;
type Meta = {
  guard: Guard;
  /** Also for anybody who is signed in while there is no administrator (ruling R2). */
  orInSetupMode?: true;
  /** Also for those who held it before: the command decides what becomes of it. */
  orFormerly?: true;
};

const TRPC_CODES: Readonly<Record<ErrorCode, TRPCError['code']>> = {
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  invalid: 'BAD_REQUEST',
  conflict: 'CONFLICT',
  duplicate: 'CONFLICT',
  operation_reused: 'CONFLICT',
  rate_limited: 'TOO_MANY_REQUESTS',
  too_large: 'PAYLOAD_TOO_LARGE',
  unsupported: 'UNSUPPORTED_MEDIA_TYPE',
  busy: 'SERVICE_UNAVAILABLE',
  upgrade_required: 'PRECONDITION_FAILED',
  internal: 'INTERNAL_SERVER_ERROR',
};

/** What tRPC refuses by itself, before any of our code runs. */
const CODES_OF_TRPC: Partial<Readonly<Record<TRPCError['code'], ErrorCode>>> = {
  PARSE_ERROR: 'invalid',
  BAD_REQUEST: 'invalid',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'unsupported',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported',
  PAYLOAD_TOO_LARGE: 'too_large',
};

/** The tRPC error that carries one of ours over the wire. */
export function toTrpcError(error: AppError): TRPCError {
  return new TRPCError({ code: TRPC_CODES[error.code], message: error.message, cause: error });
}

/** Is this a bug (or a fault of the machine), and not something that a person is told about? */
export function isUnexpected(error: TRPCError): boolean {
  if (error.cause instanceof AppError) return error.cause.code === 'internal';
  return !(error.cause instanceof z.ZodError) && CODES_OF_TRPC[error.code] === undefined;
}

/** Exactly what a client is told about an error. Never a message that is not one of our sentences. */
export function toWireError(error: TRPCError, reference: string): WireError {
  const { cause } = error;
  if (cause instanceof AppError) return wireOf(cause, reference);
  if (cause instanceof z.ZodError) return { code: 'invalid', fields: fieldsOf(cause) };
  const code = CODES_OF_TRPC[error.code];
  return code === undefined ? { code: 'internal', reference } : { code };
}

function wireOf(error: AppError, reference: string): WireError {
  if (error.code === 'internal') return { code: 'internal', reference };
  // One of our sentences, or nothing: without one the message is the code itself.
  const sentence = error.message === error.code ? {} : { message: error.message };
  return { code: error.code, ...sentence, ...error.data };
}

function fieldsOf(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join('.')] ??= issue.message;
  return fields;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Never by the environment: it would send stack traces to browsers.
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const app = toWireError(error, ctx?.requestId ?? 'unknown');
      return { ...shape, message: app.code, data: { ...shape.data, app } };
    },
  });

/** What a command or query throws becomes what a client may be told, with the HTTP status that belongs to it. */
const translated = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const { cause } = result.error;
  if (cause instanceof AppError) throw toTrpcError(cause);
  if (isBusy(cause)) throw toTrpcError(new AppError('busy', { cause }));
  if (isUnstorable(cause)) throw toTrpcError(new AppError('invalid', { data: { fields: {} }, cause }));
  return result;
});

const procedure = t.procedure.use(translated);

export const router = t.router;

/** For anybody. */
export const open = procedure.meta({ guard: 'open' });

/** For everybody who is signed in, whatever their role. */
export const signedIn = procedure.meta({ guard: 'signedIn' }).use(({ ctx, type, next }) => {
  const known = signedInContext(ctx);
  if (type !== 'query') return next({ ctx: known });
  return withConsistentAccess(known, (steady) => next({ ctx: steady }));
});

/**
 * For people whose role, as the database has it at this call, holds the permission.
 * @param options.orInSetupMode also for anybody signed in while no administrator exists; the command decides the rest
 * @param options.orFormerly also for those who held it before, as the history of their roles says; the same
 */
export function requires(permission: Permission, options: Omit<Meta, 'guard'> = {}) {
  const assertPermission = async ({ actor, services }: SignedInContext) => {
    if (actor.permissions.includes(permission)) return;
    const exempt =
      (options.orInSetupMode === true && !(await administratorExists(services.db))) ||
      (options.orFormerly === true && (await everHadPermission(services.db, actor.userId, permission)));
    if (!exempt) throw toTrpcError(new AppError('forbidden'));
  };
  return procedure.meta({ guard: permission, ...options }).use(async ({ ctx, type, next }) => {
    const known = signedInContext(ctx);
    if (type === 'query') {
      return withConsistentAccess(known, async (steady) => {
        await assertPermission(steady);
        return next({ ctx: steady });
      });
    }
    await assertPermission(known);
    return next({ ctx: known });
  });
}

function signedInContext(ctx: Context): SignedInContext {
  if (ctx.actor === undefined) throw toTrpcError(new AppError('unauthenticated'));
  return { ...ctx, actor: ctx.actor };
}
