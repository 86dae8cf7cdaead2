import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';

// Work that would block the event loop is done in a worker thread, which answers one question after the other.

/**
 * Starts a thread from a TypeScript module. In the built server the module is a separate file beside the server's
 * (scripts/lib/server-build.mjs); otherwise tsx loads it.
 * @param source the module
 * @param heapMb its heap, in megabytes; buffers that are shared with it do not count
 */
export function startWorker(source: URL, heapMb: number): Worker {
  const name = basename(source.pathname, '.ts');
  const options = { name, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMb } };
  const worker = import.meta.filename.endsWith('.ts')
    ? new Worker(fromSources(source), { ...options, eval: true })
    : new Worker(join(import.meta.dirname, `${name}.js`), options);
  worker.unref();
  // `askWorker` has a listener of its own while it waits for an answer.
  return withErrorListener(worker);
}

/** Code that loads a TypeScript module in a thread, which does not inherit the loader. */
function fromSources(source: URL): string {
  const tsx = import.meta.resolve('tsx/esm/api');
  return `import(${JSON.stringify(tsx)}).then((tsx) => (tsx.register(), import(${JSON.stringify(source.href)})));`;
}

/**
 * Asks a thread, one question at a time.
 * @throws AppError `busy` if the signal is aborted before the answer; Error if the thread fails
 */
export function askWorker<Question, Answer>(
  worker: Worker,
  signal: AbortSignal,
  question: Question,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(givenUp());
    const listening = new AbortController();
    const settle = (settled: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      listening.abort();
      settled();
    };
    const onMessage = (answer: Answer) => settle(() => resolve(answer));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = (code: number) => settle(() => reject(new Error(`A thread ended (${code}).`)));
    worker.once('message', onMessage).once('error', onError).once('exit', onExit);
    signal.addEventListener('abort', () => settle(() => reject(givenUp())), { signal: listening.signal });
    worker.postMessage(question);
  });
}

function givenUp(): AppError {
  return new AppError('busy');
}
