import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { fileMessages } from '#shared/features/files/files-messages.ts';
import { messages } from '#shared/messages.ts';
import { callerIdOf } from '../../access/actor.ts';
import { plainType } from '../../features/files/content-type.ts';
import { readOwnUpload } from '../../features/files/files.queries.ts';
import type { Receiver } from '../../features/files/receive.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { ConcurrencyLimit } from '../concurrency.ts';
import { receiveBody, toUploadError } from '../uploads/receive-body.ts';
import { sendCreated } from './answer-write.ts';
import { type ApiCall, toObject } from './api-call.ts';
import { checkEvery } from './check-every.ts';
import { derivedId } from './derived-id.ts';
import { idempotencyKeyOf } from './fields.ts';
import type { UploadOperation } from './operation.ts';
import { type Parameter, parseInput, queryOf, readInput } from './parameters.ts';
import { invalidAt, sendProblem } from './problem.ts';

/** Uploads of one key that may be under way. */
export const UPLOADS_AT_ONCE = 8;

/**
 * Answers an operation that adds a file. A repeated call gets the answer of the first one if the file was stored; if the
 * upload was interrupted, the repeated call sends the file again from the beginning.
 * @throws AppError `invalid` without an `Idempotency-Key`, `operation_reused` if the key was used for another file
 */
export async function answerUpload(
  operation: UploadOperation,
  parameters: readonly Parameter[],
  call: ApiCall,
  { receiver, limit }: { receiver: Receiver; limit: ConcurrencyLimit },
): Promise<FastifyReply> {
  const { request, reply, key } = call;
  const contentType = plainType(request.headers['content-type'] ?? '').toLowerCase();
  // The size of a form is not the size of its file.
  if (contentType.startsWith('multipart/')) throw new AppError('unsupported');
  const bytes = lengthOf(request);
  if (bytes === undefined) {
    const errors = { 'Content-Length': 'Required: the size of the file, in bytes' };
    return sendProblem(reply, 411, { code: 'invalid' }, errors);
  }
  if (!Number.isSafeInteger(bytes)) throw invalidAt('Content-Length', messages.common.invalid);
  const input = parseInput(operation.input, readInput(parameters, request.params, queryOf(request)));
  const idempotencyKey = idempotencyKeyOf(request);
  const id = derivedId(key, 'row', idempotencyKey);
  const operationId = derivedId(key, 'operation', idempotencyKey);
  const again = () => call.proveCaller([operation.permission]);
  const ctx = await again();
  const file = {
    ...{ id, name: String(input['fileName']), bytes },
    // curl and others send this type by default; it says nothing about the file.
    contentType: contentType === 'application/x-www-form-urlencoded' ? '' : contentType,
  };
  const release = limit.take(callerIdOf(ctx.actor));
  if (release === undefined) throw new AppError('busy');
  try {
    await reserve();
    return sendCreated(reply, operation.location, await toObject(call, await receive(), operation.object));
  } finally {
    release();
  }

  /** Binds the `Idempotency-Key` to this file, and reserves the file unless it is stored. */
  async function reserve(): Promise<void> {
    let isNew = false;
    await runCommand(ctx, operation.command, { ...input, bytes, operationId }, async ({ tx }) => {
      await operation.reserve(ctx, input, file, tx).catch(toRefusal);
      isNew = true;
      return { id };
    });
    if (isNew) return;
    const before = await readOwnUpload(ctx.services.db, ctx.actor, id);
    // For a stored file, `receive` returns the first answer, even if the document or its folder was changed or deleted since.
    if (before === undefined || before.state === 'reserved')
      await operation.reserve(ctx, input, file).catch(toRefusal);
  }

  async function receive(): Promise<object> {
    const revoked = new AbortController();
    const endChecks = checkEvery(again, () => revoked.abort());
    // The cast: the routes of uploads leave the body unread.
    const streamed = request as FastifyRequest<{ Body: Readable | undefined }>;
    const upload = { receiver, ctx, id, offset: 0, again, isWhole: true, signal: revoked.signal };
    const { answer } = await receiveBody(streamed, reply, upload)
      .catch((cause: Error) => {
        if (revoked.signal.aborted) throw new AppError('unauthenticated', { cause });
        const error = toUploadError(cause, REFUSALS);
        // A newer call with the same `Idempotency-Key` has taken over.
        throw error instanceof AppError && error.code === 'conflict'
          ? new AppError('busy', { cause })
          : error;
      })
      .finally(endChecks);
    if (revoked.signal.aborted) throw new AppError('unauthenticated');
    if (answer === undefined) throw new AppError('invalid', { message: fileMessages.incomplete });
    // The stored answer has expired, like those of other operations (`housekeeping.ts`).
    if (answer['version'] === undefined) throw new AppError('duplicate');
    return answer;
  }
}

const REFUSALS = {
  full: (cause: unknown) => new AppError('busy', { message: messages.common.serverFull, cause }),
  tooLarge: fileMessages.longerThanDeclared,
};

function lengthOf({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const text = headers['content-length'];
  return text === undefined || headers['transfer-encoding'] !== undefined ? undefined : Number(text);
}

/** Here, a name that is already taken is an error of the parameter; in the app, people choose how to resolve it. */
function toRefusal(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'conflict')) throw error;
  throw new AppError('invalid', { data: { fields: { fileName: error.message } }, cause: error });
}
