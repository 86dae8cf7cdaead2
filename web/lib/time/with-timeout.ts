/**
 * Waits for an answer at most `ms`, because a silent connection counts as lost. After that time the outcome is ignored.
 * @param asked the answer, or a function that asks for it. The function gets a signal, which is aborted when the wait
 *   ends without an answer, and a function to call at any progress, which restarts the timeout
 * @param given a signal that ends the wait earlier
 * @throws Error if the time is up, or the given signal is aborted
 */
export async function withTimeout<T>(
  ms: number,
  asked: Promise<T> | ((signal: AbortSignal, alive: () => void) => Promise<T>),
  given?: AbortSignal,
): Promise<T> {
  // Not `AbortSignal.any`, because some browsers in use do not support it.
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let alive = () => {};
  let onAbort = () => {};
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: string) => {
      reject(new Error(reason));
      abort.abort();
    };
    onAbort = () => end('no longer wanted');
    if (given?.aborted === true) onAbort();
    else given?.addEventListener('abort', onAbort);
    alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => end(`no answer within ${ms} ms`), ms);
    };
    alive();
  });
  try {
    const answer = typeof asked === 'function' ? asked(abort.signal, () => alive()) : asked;
    return await Promise.race([answer, ended]);
  } finally {
    alive = () => {};
    clearTimeout(timer);
    given?.removeEventListener('abort', onAbort);
  }
}
