import { Readable } from 'node:stream';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { isLong } from '../../kernel/is-long.ts';
import { jsonPieces } from '../json-pieces.ts';
import { type Answer, type ApiCall, readOne, sendObject, toObjects } from './api-call.ts';
import type { ReadOperation } from './operation.ts';
import { formatCursor, type Parameter, parseInput, queryOf, readInput } from './parameters.ts';

/** Answers an operation that reads, with one object or a page of them. */
export async function answerRead(
  operation: ReadOperation,
  parameters: readonly Parameter[],
  call: ApiCall,
): Promise<Answer> {
  const { request, reply } = call;
  const input = readInput(parameters, request.params, queryOf(request));
  if (operation.answers === 'one') return sendObject(call, await readOne(operation, input, call));
  const { toInput, procedure } = operation;
  const asked = toInput === undefined ? input : toInput(parseInput(operation.input, input));
  const answer = await call.query(procedure, asked);
  const { rows, nextCursor } = operation.pageOf(answer, operation.input.parse(input));
  const page = {
    data: await toObjects(call, rows, operation.object),
    nextCursor: nextCursor === null ? null : formatCursor(nextCursor),
  };
  reply.type('application/json');
  if (!isLong(page)) return JSON.stringify(page);
  return withErrorListener(Readable.from(jsonPieces(page), { objectMode: false }));
}
