/**
 * Rejects and aborts the request if it has not been answered in time: a silent connection counts as lost.
 * @param given aborts it earlier
 */
export async function withTimeout<T>(
  ms: number,
  ask: (signal: AbortSignal) => Promise<T>,
  given?: AbortSignal,
): Promise<T> {
  const abort = new AbortController();
  // Not `AbortSignal.any`, which browsers in use do not have.
  const stop = () => abort.abort();
  given?.addEventListener('abort', stop);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('No answer in time'));
      abort.abort();
    }, ms);
  });
  try {
    return await Promise.race([ask(abort.signal), late]);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', stop);
  }
}
