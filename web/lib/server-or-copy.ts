import { useEffect, useState } from 'react';

/** Within this time a copy is shown without its age, because the server's answer is likely to replace it soon. */
const SOON_MS = 3_000;

/** The server's answer, or this device's copy of it. */
export type ServerOrCopy<T> = {
  status: 'loading' | 'error' | 'ready';
  value: T | undefined;
  /** The time at which the copy was stored, ISO; set only if a copy is shown together with its age. */
  keptAt: string | undefined;
  /** The server has answered, or is not expected to answer soon. Until then a copy may be outdated. */
  isSettled: boolean;
  error: unknown;
  refetch: () => void;
};

type Live = { status: 'loading' | 'error' | 'ready'; error: unknown; refetch: () => void };
type Kept<T> = { state: 'reading' | 'none' | 'kept'; value: T | undefined; keptAt: string | undefined };

/** Returns the server's answer or, until there is one, the stored copy with its age. */
export function useServerOrCopy<T>(live: Live, value: T | undefined, kept: Kept<T>): ServerOrCopy<T> {
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

/** Returns whether a wait has lasted longer than {@link SOON_MS}. */
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
