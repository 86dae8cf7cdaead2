/** What the server says, or what this phone has kept of it. */
export type FromPhone<T> = {
  status: 'loading' | 'error' | 'ready';
  value: T | undefined;
  /** ISO: of when this phone's own copy is, where the server's answer is not here. */
  keptAt: string | undefined;
  error: unknown;
  refetch: () => void;
};

type Live = { status: 'loading' | 'error' | 'ready'; error: unknown; refetch: () => void };
type Kept<T> = { state: 'reading' | 'none' | 'kept'; value: T | undefined; keptAt: string | undefined };

/** The server's answer; while there is none, the copy, with its age. */
export function either<T>(live: Live, value: T | undefined, kept: Kept<T>): FromPhone<T> {
  const { error, refetch } = live;
  if (live.status === 'ready') return { status: 'ready', value, keptAt: undefined, error, refetch };
  if (kept.state === 'kept') {
    // A copy that is only there until the answer comes, in a moment, need not tell its age.
    const old = live.status === 'error' || !navigator.onLine;
    return { status: 'ready', value: kept.value, keptAt: old ? kept.keptAt : undefined, error, refetch };
  }
  const status = kept.state === 'reading' ? 'loading' : live.status;
  return { status, value: undefined, keptAt: undefined, error, refetch };
}
