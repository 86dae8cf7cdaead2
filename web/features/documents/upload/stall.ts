import { cut } from './upload-address.ts';

/** A connection without progress for this long counts as broken. */
const STALL_MS = 45_000;
/** The time limit after the last byte: the server checks and stores the file, which takes longer for larger files. */
const FINISH_MS = 15 * 60_000;

/**
 * Runs a request, and aborts it when it no longer makes progress.
 * @param work receives a signal that aborts with `outer` or when progress stops; must call `alive` at each progress, with
 * true once all bytes are sent
 */
export async function withStallTimeout<T>(
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
