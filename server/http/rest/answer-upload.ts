import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { fileMessages } from '#shared/features/files/files-messages.ts';
import { messages } from '#shared/messages.ts';
import type { Receiver } from '../../features/files/receive.ts';
import type { ConcurrencyLimit } from '../concurrency.ts';
import { receiveBody, toUploadError } from '../uploads/receive-body.ts';
import { sendCreated } from './answer-write.ts';
import { type ApiCall, toObject } from './api-call.ts';
import { derivedId } from './derived-id.ts';
import { idempotencyKeyOf } from './fields.ts';
import type { UploadOperation } from './operation.ts';
import { type Parameter, parseInput, queryOf, readInput } from './parameters.ts';
import { sendProblem } from './problem.ts';

/** Uploads of the keys of one person that may be under way. */
export const UPLOADS_AT_ONCE = 8;

/**
 * Answers an operation that adds a file. A repeated call, after a lost answer, gets the first one's answer; after an upload that was
 * cut off, it begins anew.
 * @throws AppError `invalid` without an `Idempotency-Key`
 */
export async function answerUpload(
  operation: UploadOperation,
  parameters: readonly Parameter[],
  call: ApiCall,
  { receiver, limit }: { receiver: Receiver; limit: ConcurrencyLimit },
): Promise<FastifyReply> {
  const { request, reply, key } = call;
  const contentType = request.headers['content-type'] ?? '';
  // The size of a form is not the size of its file.
  if (contentType.startsWith('multipart/')) throw new AppError('unsupported');
  const bytes = lengthOf(request);
  if (bytes === undefined) {
    const errors = { 'Content-Length': 'Required: the size of the file, in bytes' };
    return sendProblem(reply, 411, { code: 'invalid' }, errors);
  }
  const input = parseInput(operation.input, readInput(parameters, request.params, queryOf(request)));
  const id = derivedId(key, 'row', idempotencyKeyOf(request));
  const file = { id, name: String(input['fileName']), bytes, contentType };
  const again = () => call.proveCaller([operation.permission]);
  const ctx = await again();
  const reserve = () => operation.reserve(ctx, input, file).catch(toRefusal);
  await reserve();
  const { received } = await receiver.progress(ctx, id);
  // The body has the whole file, and perhaps another one than the upload that was cut off.
  if (received > 0 && !(await receiver.cancel(ctx, id)).stored) await reserve();
  // The cast: the routes of uploads leave the body unread.
  const streamed = request as FastifyRequest<{ Body: Readable | undefined }>;
  const upload = { receiver, limit, ctx, id, offset: 0, again };
  const { answer } = await receiveBody(streamed, reply, upload).catch((cause: Error) => {
    const error = toUploadError(cause, REFUSALS);
    // A call with the same key has taken over.
    throw error instanceof AppError && error.code === 'conflict' ? new AppError('busy', { cause }) : error;
  });
  if (answer === undefined) throw new AppError('invalid', { message: fileMessages.incomplete });
  return sendCreated(reply, operation.location, await toObject(call, answer, operation.object));
}

const REFUSALS = {
  full: (cause: unknown) => new AppError('busy', { message: messages.common.serverFull, cause }),
  tooLarge: fileMessages.longerThanDeclared,
};

function lengthOf({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const text = headers['content-length'];
  return text === undefined || headers['transfer-encoding'] !== undefined ? undefined : Number(text);
}

/** A name that is taken is a wrong parameter here; in the app, people choose what to do about it. */
function toRefusal(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'conflict')) throw error;
  throw new AppError('invalid', { data: { fields: { fileName: error.message } }, cause: error });
}
