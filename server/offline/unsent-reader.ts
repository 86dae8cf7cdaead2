import { AppError } from '#shared/errors.ts';
import { askWorker, startWorker } from '../kernel/concurrency/worker-thread.ts';
import type { ReadEntry } from './read-unsent.ts';
import type { UnsentAnswer, UnsentQuestion } from './unsent-worker.ts';

/** Some minutes more than the largest file takes, in ms. */
const READ_WITHIN_MS = 600_000;
/** Enough for the text of the largest file and its content, at two bytes for each character. */
const HEAP_MB = 2_048;
const WORKER = new URL('./unsent-worker.ts', import.meta.url);

/** The person who made the records of a file, and the records in order. */
export type ReadUnsent = { personId: string; entries: AsyncIterable<ReadEntry> };

/**
 * Reads a phone's file in a thread, because parsing 200 megabytes takes seconds, and passes on each record as it is read.
 * @param bytes shared with the thread, not copied
 * @throws AppError `invalid` with a sentence if the file cannot be read (see `readUnsent`)
 */
export async function withUnsent<Answer>(
  bytes: Uint8Array<SharedArrayBuffer>,
  use: (file: ReadUnsent) => Promise<Answer>,
): Promise<Answer> {
  const worker = startWorker(WORKER, HEAP_MB);
  const signal = AbortSignal.timeout(READ_WITHIN_MS);
  const ask = (question: UnsentQuestion) => askWorker<UnsentQuestion, UnsentAnswer>(worker, signal, question);

  async function* entries(): AsyncGenerator<ReadEntry, void, undefined> {
    for (let answer = await ask('next'); 'entry' in answer; answer = await ask('next')) yield answer.entry;
  }

  try {
    const answer = await ask({ bytes });
    if ('refusal' in answer) throw new AppError('invalid', { message: answer.refusal, data: { fields: {} } });
    if (!('personId' in answer)) throw new Error('the reader of files has answered something else');
    return await use({ personId: answer.personId, entries: entries() });
  } finally {
    void worker.terminate();
  }
}
