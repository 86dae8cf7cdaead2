import { parentPort } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import type { UnsentEntry } from '#shared/offline/unsent-file.ts';
import { type ReadEntry, readEntry, readUnsent } from './read-unsent.ts';

// Runs in the thread of unsent-reader.ts: reads one file, and returns a record per message.

/** Passes the file to the thread, or requests the next record. */
export type UnsentQuestion = { bytes: Uint8Array } | 'next';
/** First the maker of the records, then each record, and the end; or a refusal. Any other failure ends the thread. */
export type UnsentAnswer = { personId: string } | { entry: ReadEntry } | { end: true } | { refusal: string };

let entries: Iterator<UnsentEntry> = [].values();

parentPort?.on('message', (question: UnsentQuestion) => {
  const answer = question === 'next' ? nextOf(entries) : begin(question.bytes);
  const photos =
    'entry' in answer ? answer.entry.attachments.flatMap(({ bytes }) => bytes?.buffer ?? []) : [];
  parentPort?.postMessage(answer, photos);
});

function begin(bytes: Uint8Array): UnsentAnswer {
  try {
    const content = readUnsent(bytes);
    entries = content.entries.values();
    return { personId: content.personId };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    return { refusal: error.message };
  }
}

function nextOf(all: Iterator<UnsentEntry>): UnsentAnswer {
  const next = all.next();
  return next.done === true ? { end: true } : { entry: readEntry(next.value) };
}
