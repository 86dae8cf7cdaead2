import { useEffect, useState } from 'react';

/** An answer that takes no longer needs no word about the copy that stands there until it comes. */
const SOON_MS = 3_000;

/** What the server says, or what this phone has kept of it. */
export type ServerOrCopy<T> = {
  status: 'loading' | 'error' | 'ready';
  value: T | undefined;
  /** ISO: of when this phone's own copy is, where the server's answer is not here. */
  keptAt: string | undefined;
  /** The server has answered, or cannot soon: until then a copy may say what is over. */
  isSettled: boolean;
  error: unknown;
  refetch: () => void;
};

type Live = { status: 'loading' | 'error' | 'ready'; error: unknown; refetch: () => void };
type Kept<T> = { state: 'reading' | 'none' | 'kept'; value: T | undefined; keptAt: string | undefined };

/** The server's answer; while there is none, the copy, with its age. */
export function useEither<T>(live: Live, value: T | undefined, kept: Kept<T>): ServerOrCopy<T> {
  const { error, refetch } = live;
  const late = useLate(live.status === 'loading');
  const isSettled = live.status !== 'loading' || late || !navigator.onLine;
  if (live.status === 'ready') {
    return { status: 'ready', value, keptAt: undefined, isSettled, error, refetch };
  }
  if (kept.state === 'kept') {
    const keptAt = live.status === 'error' || late || !navigator.onLine ? kept.keptAt : undefined;
    return { status: 'ready', value: kept.value, keptAt, isSettled, error, refetch };
  }
  const status = kept.state === 'reading' ? 'loading' : live.status;
  const settled = isSettled && kept.state !== 'reading';
  return { status, value: undefined, keptAt: undefined, isSettled: settled, error, refetch };
}

/** Whether a wait has lasted for longer than {@link SOON_MS}. */
function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setLate(true), SOON_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [waiting]);
  return late;
}
