import type { Worker } from 'node:worker_threads';
import type { ImportKind } from '#shared/features/imports/imports.vocabulary.ts';
import { askWorker, startWorker } from '../../kernel/concurrency/worker-thread.ts';
import { forEachYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import type { CsvAnswer, CsvQuestion, FileColumns, FileRow } from './csv-worker.ts';
import { refusal } from './read-csv.ts';

/** About twenty times as long as the largest file takes on an idle machine, in ms. */
const READ_WITHIN_MS = 60_000;
/** A file is checked and then imported, so the next reading often follows soon. */
const KEPT_MS = 10_000;
/** Heap for the parser and one batch; the bytes of the file are outside it. */
const HEAP_MB = 64;
const WORKER = new URL('./csv-worker.ts', import.meta.url);

/** The limits after which a reading is aborted. */
export type ReadLimits = { signal?: AbortSignal; withinMs?: number };

/**
 * Parses files in a worker thread with its own heap and a lower priority: ten megabytes take a second of CPU and leave
 * much garbage, which would delay every call on the main thread. The thread is kept for some seconds after a file.
 */
export class CsvReader {
  #kept: { worker: Worker; end: NodeJS.Timeout; gone: () => void } | undefined;
  #stopped = false;

  /**
   * Passes each row on, in order, in batches: the thread continues only when a batch has been processed.
   * @param bytes shared with the thread, not copied
   * @returns the hash of the file
   * @throws AppError `invalid` with a sentence if the file cannot be read (see `readBatches`), `busy` if the reading is
   *   aborted; Error if the thread fails
   */
  async read(
    kind: ImportKind,
    bytes: Uint8Array<SharedArrayBuffer>,
    take: (row: FileRow, columns: FileColumns) => void,
    { signal: left, withinMs = READ_WITHIN_MS }: ReadLimits = {},
  ): Promise<string> {
    const signal = AbortSignal.any([AbortSignal.timeout(withinMs), ...(left === undefined ? [] : [left])]);
    const worker = this.#takeKept() ?? startWorker(WORKER, HEAP_MB);
    const ask = (question: CsvQuestion) => askWorker<CsvQuestion, CsvAnswer>(worker, signal, question);
    let whole = false;
    try {
      let answer = await ask({ kind, bytes });
      while ('rows' in answer) {
        const { rows, ...columns } = answer;
        await forEachYielding(rows, (row) => take(row, columns));
        answer = await ask('next');
      }
      whole = true;
      if ('refusal' in answer) throw refusal(answer.refusal);
      return answer.sha256;
    } finally {
      if (whole) this.#keep(worker);
      else void worker.terminate();
    }
  }

  /** Ends the thread that is kept for the next file. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#takeKept()?.terminate();
  }

  #takeKept(): Worker | undefined {
    const kept = this.#kept;
    if (kept === undefined) return undefined;
    this.#kept = undefined;
    clearTimeout(kept.end);
    kept.worker.off('exit', kept.gone);
    return kept.worker;
  }

  #keep(worker: Worker): void {
    if (this.#stopped || this.#kept !== undefined) {
      void worker.terminate();
      return;
    }
    const gone = () => void this.#takeKept();
    worker.once('exit', gone);
    const end = setTimeout(() => void this.#takeKept()?.terminate(), KEPT_MS).unref();
    this.#kept = { worker, end, gone };
  }
}
