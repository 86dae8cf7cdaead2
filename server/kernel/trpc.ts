import { initTRPC, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { AppError, type ErrorCode, type WireError } from '#shared/errors.ts';
import type { Permission } from '#shared/permissions.ts';
import { callerIdOf } from '../access/actor.ts';
import { administratorExists, everHadPermission } from '../access/people.ts';
import { networkOf } from '../adapters/network/network-of.ts';
import { isTracing, traced } from '../adapters/tracing/trace.ts';
import { AccessChangedError } from '../live/snapshot.ts';
import { withConsistentAccess, withProvenCaller } from './consistent-access.ts';
import type { Context, SignedInContext } from './context.ts';
import { isBusy, isUnstorable } from './database-errors.ts';
import { isLong } from './is-long.ts';
import { assertRecentAuthentication } from './sign-in/recent-authentication.ts';

/** The guard of a procedure, readable at `procedure._def.meta`; every procedure declares exactly one. */
export type Guard = 'open' | 'signedIn' | 'display' | Permission;
export type Meta = {
  guard: Guard;
  /** Also allows anyone signed in while there is no administrator (ruling R2). */
  orInSetupMode?: true;
  /** Also allows people who had the permission in the past; the command decides how to treat their input. */
  orFormerly?: true;
  /** Also allows displays. */
  orDisplay?: true;
  /**
   * The person must have authenticated recently (`sign-in/recent-authentication.ts`), because a person with a stolen session, or
   * at a screen left open, could do lasting harm with the command.
   */
  sensitive?: true;
  /**
   * For commands that do nothing before `runCommand`: they may begin with a person from memory, because `runCommand` proves the
   * person.
   */
  provenByCommand?: true;
  /** For queries of one short statement about the caller: they do not wait for the person's other reads. */
  ahead?: true;
};

const TRPC_CODES: Readonly<Record<ErrorCode, TRPCError['code']>> = {
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  reauthentication_required: 'FORBIDDEN',
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

/** Errors that tRPC raises before any procedure runs. */
const CODES_OF_TRPC: Partial<Readonly<Record<TRPCError['code'], ErrorCode>>> = {
  PARSE_ERROR: 'invalid',
  BAD_REQUEST: 'invalid',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'unsupported',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported',
  PAYLOAD_TOO_LARGE: 'too_large',
};

/** Converts an application error into a tRPC error. */
export function toTrpcError(error: AppError): TRPCError {
  return new TRPCError({ code: TRPC_CODES[error.code], message: error.message, cause: error });
}

/** Returns whether the error is a bug or a fault of the machine rather than an answer meant for the user. */
export function isUnexpected(error: TRPCError): boolean {
  if (error.cause instanceof AppError) return error.cause.code === 'internal';
  return !(error.cause instanceof z.ZodError) && CODES_OF_TRPC[error.code] === undefined;
}

/** Builds the error that the client receives. It contains no message but the application's own sentences. */
export function toWireError(error: TRPCError, reference: string): WireError {
  const { cause } = error;
  if (cause instanceof AppError) return wireOf(cause, reference);
  if (cause instanceof z.ZodError) return { code: 'invalid', fields: fieldsOf(cause) };
  const code = CODES_OF_TRPC[error.code];
  return code === undefined ? { code: 'internal', reference } : { code };
}

function wireOf(error: AppError, reference: string): WireError {
  if (error.code === 'internal') return { code: 'internal', reference };
  // Without a sentence of its own, the error's message is its code.
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
    // Set explicitly: derived from NODE_ENV it could send stack traces to browsers.
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const app = toWireError(error, ctx?.requestId ?? 'unknown');
      return { ...shape, message: app.code, data: { ...shape.data, app } };
    },
  });

/** Makes each call a span, if traces are recorded. */
const inTrace = t.middleware(({ path, type, next }) =>
  isTracing()
    ? traced(path, { 'rpc.system.name': 'trpc', 'rpc.method': path, 'lintel.type': type }, () => next())
    : next(),
);

/** Converts what a command or query throws into an error for the client, with the HTTP status of its code. */
const translated = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const { cause } = result.error;
  if (cause instanceof AppError) throw toTrpcError(cause);
  if (isBusy(cause)) throw toTrpcError(new AppError('busy', { cause }));
  if (isUnstorable(cause)) throw toTrpcError(new AppError('invalid', { data: { fields: {} }, cause }));
  return result;
});

/** Queries go through the gate of reads: guard, authentication and answer count together as one piece of work. */
const throughReadGate = t.middleware(({ ctx, type, meta, signal, next }) => {
  if (type !== 'query' || meta?.ahead === true) return next();
  const { actor, display, address, services } = ctx;
  const caller = actor === undefined ? (display?.displayId ?? networkOf(address)) : callerIdOf(actor);
  return services.reads.run(caller, () => next(), signal);
});

/** Limit of values in an answer that is written in one go. Low, because a batch has twenty answers. */
const AT_ONCE_MAX = 1_000;

/** Refuses answers that would block all other callers while they are written. */
const notLongAtOnce = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (ctx.writtenAtOnce === true && result.ok && isLong(result.data, AT_ONCE_MAX)) {
    throw toTrpcError(new AppError('unsupported'));
  }
  return result;
});

const procedure = t.procedure.use(inTrace).use(translated).use(throughReadGate).use(notLongAtOnce);

export const router = t.router;

/** Requires no session. Displays are refused, because these procedures are not for them. */
export const open = procedure
  .meta({ guard: 'open' })
  .use(async ({ ctx: { recalled, actor, display }, next }) => {
    if (display !== undefined) throw toTrpcError(new AppError('forbidden'));
    return next({
      ctx: { actor: recalled === undefined ? actor : await recalled.validate(), recalled: undefined },
    });
  });

/** Requires the credential of a display, which allows only these procedures and the live stream. */
export const fromDisplay = procedure.meta({ guard: 'display' }).use(({ ctx, next }) => {
  const { display, actor } = ctx;
  if (display === undefined)
    throw toTrpcError(new AppError(actor === undefined ? 'unauthenticated' : 'forbidden'));
  return next({ ctx: { display } });
});

/** Requires a session, whatever the role, or the credential of a display. */
export const follower = procedure.meta({ guard: 'signedIn', orDisplay: true }).use(({ ctx, next }) => {
  if (ctx.display === undefined) validated(signedInContext(ctx));
  return next();
});

/** Requires a session, whatever the role. */
export const signedIn = procedure.meta({ guard: 'signedIn' }).use(({ ctx, type, next }) => {
  const known = signedInContext(ctx);
  if (type !== 'query') return next({ ctx: validated(known) });
  return withConsistentAccess(known, async (steady) => seeChangedAccess(await next({ ctx: steady })));
});

/** As `signedIn`, for commands for which the person must have authenticated recently. */
export const signedInSensitive = signedIn
  .meta({ guard: 'signedIn', sensitive: true })
  .use(async ({ ctx, next }) => {
    await assertRecentAuthentication(ctx.services, ctx.actor);
    return next();
  });

/** As `signedIn`, for commands that do nothing before `runCommand`. */
export const signedInCommand = procedure
  .meta({ guard: 'signedIn', provenByCommand: true })
  .use(({ ctx, next }) =>
    withProvenCaller(signedInContext(ctx), async (known) => seeRefusal(await next({ ctx: known }))),
  );

/**
 * Requires a role with the permission, as stored at the time of the call.
 * @param options.orInSetupMode also allows anyone signed in while no administrator exists; the command checks the rest
 * @param options.orFormerly also allows people with the permission in an earlier role; the command checks the rest
 * @param options.provenByCommand for commands that do nothing before `runCommand`
 * @param options.sensitive also requires that the person has authenticated recently
 */
export function requires(permission: Permission, options: Omit<Meta, 'guard'> = {}) {
  const assertPermission = async ({ actor, services }: SignedInContext) => {
    if (actor.permissions.includes(permission)) return;
    // The exemptions are for people: a key has only the permissions that it was given.
    if (actor.apiKey !== undefined) throw toTrpcError(new AppError('forbidden'));
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
        return seeChangedAccess(await next({ ctx: steady }));
      });
    }
    const run = async (caller: SignedInContext) => {
      await assertPermission(caller);
      if (options.sensitive === true) await assertRecentAuthentication(caller.services, caller.actor);
      return next({ ctx: caller });
    };
    if (options.provenByCommand !== true) return run(validated(known));
    return withProvenCaller(known, async (caller) => seeRefusal(await run(caller)));
  });
}

/** `next` returns errors instead of throwing them: throws the error, or its cause if the access has changed. */
function seeRefusal<Result extends { ok: true } | { ok: false; error: TRPCError }>(result: Result): Result {
  if (result.ok) return result;
  seeChangedAccess(result);
  throw result.error;
}

/** `next` returns errors instead of throwing them: throws the cause if the access has changed, and no other error. */
function seeChangedAccess<Result extends { ok: true } | { ok: false; error: TRPCError }>(
  result: Result,
): Result {
  if (!result.ok && result.error.cause instanceof AccessChangedError) throw result.error.cause;
  return result;
}

function validated(ctx: SignedInContext): SignedInContext {
  if (ctx.recalled !== undefined) throw new Error('this procedure may not begin with a person from memory');
  return ctx;
}

function signedInContext(ctx: Context): SignedInContext {
  const { actor, display } = ctx;
  if (actor === undefined)
    throw toTrpcError(new AppError(display === undefined ? 'unauthenticated' : 'forbidden'));
  return { ...ctx, actor };
}
