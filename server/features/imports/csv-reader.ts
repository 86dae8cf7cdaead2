import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import type { ImportKind } from '#shared/features/imports.vocabulary.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { forEachYielding } from '../../kernel/yield-to-event-loop.ts';
import type { CsvAnswer, CsvQuestion, FileColumns, FileRow } from './csv-worker.ts';
import { refusal } from './read-csv.ts';

/** About twenty times what the largest file takes on an idle machine, in ms. */
const READ_WITHIN_MS = 60_000;
/** A file is checked and then imported, so the next reading often follows soon. */
const KEPT_MS = 10_000;
/** Heap for the parser and one batch; the bytes of the file are outside it. */
const HEAP_MB = 64;

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
    const worker = this.#takeKept() ?? startWorker();
    let whole = false;
    try {
      let answer = await ask(worker, signal, { kind, bytes });
      while ('rows' in answer) {
        const { rows, ...columns } = answer;
        await forEachYielding(rows, (row) => take(row, columns));
        answer = await ask(worker, signal, 'next');
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

/** The built server has the worker as a file of its own (scripts/lib/server-build.mjs); otherwise tsx loads both. */
function startWorker(): Worker {
  const options = { name: 'csv', execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } };
  const worker = import.meta.filename.endsWith('.ts')
    ? new Worker(fromSources('./csv-worker.ts'), { ...options, eval: true })
    : new Worker(join(import.meta.dirname, 'csv-worker.js'), options);
  worker.unref();
  // `ask` hears the error while it waits for an answer.
  return withErrorListener(worker);
}

/** Code that loads a TypeScript module in a thread, which does not inherit the loader. */
function fromSources(path: string): string {
  const tsx = import.meta.resolve('tsx/esm/api');
  const file = new URL(path, import.meta.url).href;
  return `import(${JSON.stringify(tsx)}).then((tsx) => (tsx.register(), import(${JSON.stringify(file)})));`;
}

function ask(worker: Worker, signal: AbortSignal, question: CsvQuestion): Promise<CsvAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(givenUp());
    const listening = new AbortController();
    const settle = (settled: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      listening.abort();
      settled();
    };
    const onMessage = (answer: CsvAnswer) => settle(() => resolve(answer));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = (code: number) => settle(() => reject(new Error(`The reader of files ended (${code}).`)));
    worker.once('message', onMessage).once('error', onError).once('exit', onExit);
    signal.addEventListener('abort', () => settle(() => reject(givenUp())), { signal: listening.signal });
    worker.postMessage(question satisfies CsvQuestion);
  });
}

function givenUp(): AppError {
  return new AppError('busy');
}
