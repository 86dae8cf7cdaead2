import type { Readable } from 'node:stream';
import { type AnyTRPCRouter as AnyRouter, callTRPCProcedure } from '@trpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiObject, toApiObject } from '#shared/api/objects.ts';
import { AppError } from '#shared/errors.ts';
import type { Permission } from '#shared/permissions.ts';
import type { Context, SignedInContext } from '../../kernel/context.ts';
import { readToday } from '../../kernel/settings.ts';
import { goneSignal } from '../gone-signal.ts';
import { etagOf, namesTag } from './etag.ts';
import type { ReadOperation } from './operation.ts';

/** One call of the API: the request, its caller, and the app's procedures as this caller may use them. */
export type ApiCall = {
  request: FastifyRequest<{ Params: Record<string, string> }>;
  reply: FastifyReply;
  /** The caller's key. */
  key: string;
  /** @returns the data of the answer, without its position in the stream, which the API does not use */
  query(procedure: string, input: object): Promise<unknown>;
  command(procedure: string, input: object): Promise<unknown>;
  /** The present day of the organisation. */
  today(): Promise<string>;
  /**
   * Reads the caller's context again from the database, for operations that call no procedure.
   * @throws AppError `unauthenticated` if the key is now refused, `forbidden` if it lacks one of these permissions
   */
  proveCaller(needed: readonly Permission[]): Promise<SignedInContext>;
};

/** The return value of a handler: the body, or the reply if that was already sent. */
export type Answer = FastifyReply | string | Readable;

/** Builds the functions through which a call uses the app. */
export function procedureCalls(
  router: AnyRouter,
  ctx: Context,
  reply: FastifyReply,
): Pick<ApiCall, 'query' | 'command' | 'today' | 'proveCaller'> {
  const call = { router, ctx, batchIndex: 0 };
  return {
    async query(path, input) {
      const getRawInput = async () => input;
      const asked = { ...call, path, type: 'query' as const, getRawInput, signal: goneSignal(reply) };
      // The cast: each of the queries of the API answers with a snapshot.
      return ((await callTRPCProcedure(asked)) as { data: unknown }).data;
    },
    // Without a signal: a command is carried out even if the caller has left.
    command: (path, input) =>
      callTRPCProcedure({
        ...call,
        path,
        type: 'mutation',
        getRawInput: async () => input,
        signal: undefined,
      }),
    async today() {
      const { db, clock } = ctx.services;
      return (await readToday(db, clock.now())).today;
    },
    async proveCaller(needed) {
      const actor = await ctx.reread?.();
      if (actor === undefined) throw new AppError('unauthenticated');
      if (!needed.every((one) => actor.permissions.includes(one))) throw new AppError('forbidden');
      return { ...ctx, recalled: undefined, actor };
    },
  };
}

/**
 * Rows in the form in which they are sent.
 * @throws AppError `not_found` for null, which is a query's answer if there is no row
 */
export async function toObjects(
  { today }: Pick<ApiCall, 'today'>,
  rows: readonly unknown[],
  object: ApiObject,
): Promise<Record<string, unknown>[]> {
  const day = object.derive === undefined ? '' : await today();
  return rows.map((row) => {
    if (row === null || typeof row !== 'object') throw new AppError('not_found');
    return toApiObject(object, row, day);
  });
}

/** One row in the form in which it is sent; see `toObjects`. */
export async function toObject(
  call: Pick<ApiCall, 'today'>,
  row: unknown,
  object: ApiObject,
): Promise<Record<string, unknown>> {
  const [one = {}] = await toObjects(call, [row], object);
  return one;
}

/** Reads the object of an operation as it is sent. @throws AppError `not_found` */
export async function readOne(
  { procedure, object, rowOf }: ReadOperation & { answers: 'one' },
  input: object,
  call: Pick<ApiCall, 'query' | 'today'>,
): Promise<Record<string, unknown>> {
  const answer = await call.query(procedure, input);
  return toObject(call, rowOf === undefined ? answer : rowOf(answer), object);
}

/** Answers with an object and its ETag; with 304 if the caller has the same (RFC 9110, 13.1.2). */
export function sendObject({ request, reply }: ApiCall, object: Record<string, unknown>): FastifyReply {
  const text = JSON.stringify(object);
  const tag = etagOf(text);
  const has = request.method === 'PATCH' ? undefined : request.headers['if-none-match'];
  reply.header('etag', tag).type('application/json');
  return has !== undefined && namesTag(has, tag) ? reply.code(304).send() : reply.send(text);
}
