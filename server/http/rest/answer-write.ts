import { randomUUID } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import type { FastifyReply } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { API_ADDRESS } from './address.ts';
import { type ApiCall, readOne, sendObject, toObject } from './api-call.ts';
import { derivedId } from './derived-id.ts';
import { etagOf, namesTag } from './etag.ts';
import { BODY_TYPES, idempotencyKeyOf, readBody } from './fields.ts';
import type { CreateOperation, EditOperation } from './operation.ts';
import { type Parameter, parseInput, queryOf, readInput } from './parameters.ts';
import { sendProblem } from './problem.ts';

/** The parts of a request: the parameters of its address, and the names of the fields of its body. */
export type RequestParts = { parameters: readonly Parameter[]; fields: readonly string[] };

/**
 * Answers an operation that adds an object. A repeated call, after a lost answer, gets the answer of the first call and adds
 * nothing.
 * @throws AppError `invalid` without an `Idempotency-Key`
 */
export async function answerCreate(
  operation: CreateOperation,
  { parameters, fields }: RequestParts,
  call: ApiCall,
): Promise<unknown> {
  const { procedure, object, location } = operation;
  const { request, reply, key } = call;
  if (request.headers['content-type']?.startsWith(BODY_TYPES[0]) !== true) throw new AppError('unsupported');
  const input = readInput(parameters, request.params, queryOf(request));
  const idempotencyKey = idempotencyKeyOf(request);
  const answer = await call.command(procedure, {
    ...readBody(request, fields),
    ...input,
    operationId: derivedId(key, 'operation', idempotencyKey),
    id: derivedId(key, 'row', idempotencyKey),
  });
  return sendCreated(reply, location, await toObject(call, answer, object));
}

/** Answers with the added object. @param location the path of the operation that reads it, if there is one */
export function sendCreated(
  reply: FastifyReply,
  location: string | undefined,
  created: Record<string, unknown>,
): FastifyReply {
  if (location !== undefined)
    reply.header('location', `${API_ADDRESS}${location.replace('{id}', String(created['id']))}`);
  return reply.code(201).type('application/json').send(created);
}

/**
 * Answers an operation that changes an object, if the object is still the one that `If-Match` names. Between this comparison
 * and the lock, another person may change the object: changes of other fields are merged, as for two people in the app;
 * changes of the same fields are refused.
 *
 * A repeated call, after a lost answer, has the tag from before the change. It gets the object if the object already has the
 * wanted values (RFC 9110, 13.1.1).
 * @throws AppError `conflict` if the object has changed
 */
export async function answerEdit(
  { procedure, input, read }: EditOperation,
  { parameters, fields }: RequestParts,
  call: ApiCall,
): Promise<unknown> {
  const { request, reply } = call;
  const { id } = readInput(parameters, request.params, queryOf(request));
  const ifMatch = request.headers['if-match'];
  if (ifMatch === undefined) {
    const errors = { 'If-Match': 'Required: the ETag of the object that the change is about' };
    return sendProblem(reply, 428, { code: 'invalid' }, errors);
  }
  const readObject = () => readOne(read, { id: String(id) }, call);
  const wanted = readBody(request, fields);
  const present = await readObject();
  const changes = Object.entries(wanted).map(([name, to]) => [name, { from: present[name], to }] as const);
  const command = { operationId: randomUUID(), id, changes: Object.fromEntries(changes) };
  const parsed = parseInput(input, command);
  if (!namesTag(ifMatch, etagOf(JSON.stringify(present)))) {
    if (isApplied(parsed)) return sendObject(call, present);
    throw stale();
  }
  try {
    await call.command(procedure, command);
  } catch (error) {
    const { cause } = error instanceof TRPCError ? error : {};
    throw cause instanceof AppError && cause.code === 'conflict' ? stale() : error;
  }
  return sendObject(call, await readObject());
}

/** Whether the object has the wanted values already. */
function isApplied({ changes }: Record<string, unknown>): boolean {
  // The cast: the shape of every edit's `changes` (`changed-field.ts`).
  return Object.values(changes as Record<string, { from: unknown; to: unknown }>).every(
    ({ from, to }) => normalisedId(from) === normalisedId(to),
  );
}

/** Lower-cases a UUID, because callers may send it in upper case; returns other values unchanged. */
function normalisedId(value: unknown): unknown {
  return typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value)
    ? value.toLowerCase()
    : value;
}

function stale(): AppError {
  return new AppError('conflict', {
    data: { fields: {}, version: 0 },
    message: 'The object has changed since it was read. Read it again, and decide again.',
  });
}
