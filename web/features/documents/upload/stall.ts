import { cut } from './upload-address.ts';

/** Without progress for so long, a connection counts as broken. */
const STALL_MS = 45_000;
/** After the last byte the server checks and stores the file, which takes longer the larger it is. */
const FINISH_MS = 15 * 60_000;

/**
 * Runs a request that is given up when nothing moves any more.
 * @param work gets a signal that ends with `outer` or at the standstill; it calls `alive` at each progress, with true
 * when all bytes are sent
 */
export async function untilStall<T>(
  outer: AbortSignal,
  work: (signal: AbortSignal, alive: (isSent: boolean) => void) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onOuter = () => {};
  const ended = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason));
    onOuter = () => own.abort(outer.reason);
  });
  const alive = (isSent: boolean) => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(cut()), isSent ? FINISH_MS : STALL_MS);
  };
  outer.addEventListener('abort', onOuter);
  if (outer.aborted) onOuter();
  alive(false);
  try {
    return await Promise.race([work(own.signal, alive), ended]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', onOuter);
  }
}
