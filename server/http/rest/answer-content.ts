import type { FastifyReply } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { callerIdOf } from '../../access/actor.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import { readStoredFile } from '../../features/files/files.queries.ts';
import { contentDisposition } from '../downloads/content-disposition.ts';
import type { Downloads } from '../downloads/downloads.ts';
import { sendStoredFile } from '../downloads/send-stored-file.ts';
import { goneSignal } from '../gone-signal.ts';
import type { ApiCall } from './api-call.ts';
import { checkEvery } from './check-every.ts';
import type { ContentOperation } from './operation.ts';
import { type Parameter, parseInput, queryOf, readInput } from './parameters.ts';

/** Answers with the bytes of a file, or a range of them (RFC 9110, 14). */
export async function answerContent(
  operation: ContentOperation,
  parameters: readonly Parameter[],
  { request, reply, proveCaller }: Pick<ApiCall, 'request' | 'reply' | 'proveCaller'>,
  { downloads }: { downloads: Downloads },
): Promise<FastifyReply> {
  const { services, actor } = await proveCaller([operation.permission]);
  const callerId = callerIdOf(actor);
  const input = parseInput(operation.input, readInput(parameters, request.params, queryOf(request)));
  const gone = goneSignal(reply);
  const found = await services.reads.run(callerId, () => operation.find(services.db, actor, input), gone);
  const readFile = () => readStoredFile(services.db, found.fileId);
  const file = await services.reads.run(callerId, readFile, gone);
  if (file === undefined) throw new AppError('not_found');
  const assertAllowed = async () => {
    const now = await proveCaller([operation.permission]);
    await operation.find(services.db, now.actor, input);
  };
  downloads.begin(reply, actor.userId, assertAllowed, callerId);
  const endChecks = checkEvery(assertAllowed, () => reply.raw.destroy());
  reply.raw.once('close', endChecks);
  if (reply.raw.destroyed) endChecks();
  const disposition = contentDisposition(found.fileName, false);
  return sendStoredFile(services, request, reply, { file, disposition }).catch((error: unknown) => {
    const isUnreachable = error instanceof StorageError && error.code === 'unreachable';
    throw isUnreachable ? new AppError('busy', { cause: error }) : error;
  });
}
