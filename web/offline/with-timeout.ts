/**
 * Rejects and aborts the request when nothing has arrived for `ms`: a silent connection counts as lost.
 * @param outer aborts it as well
 * @param ask calls `alive` on any progress, which restarts the time
 */
export async function withTimeout<T>(
  ms: number,
  outer: AbortSignal,
  ask: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let alive = () => {};
  let onOuter: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: string) => {
      reject(new Error(reason));
      abort.abort();
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => end('No answer in time'), ms);
    };
    onOuter = () => end('Not wanted any more');
    if (outer.aborted) onOuter();
    else outer.addEventListener('abort', onOuter);
    alive = wait;
    wait();
  });
  try {
    return await Promise.race([ask(abort.signal, () => alive()), ended]);
  } finally {
    clearTimeout(timer);
    if (onOuter !== undefined) outer.removeEventListener('abort', onOuter);
  }
}
