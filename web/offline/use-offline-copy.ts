import { useCallback, useSyncExternalStore } from 'react';
import { useOffline } from './offline-context.tsx';

export type UseOfflineCopy<T> = {
  /** `reading` until this device has been read. */
  state: 'reading' | 'none' | 'kept';
  value: T | undefined;
  /** The time at which it was kept, ISO. */
  keptAt: string | undefined;
};

/**
 * A copy that was kept for reading without a connection.
 * @param name ends with `:<id>` of the place that it is about, so that it is removed with the access to that place
 */
export function useOfflineCopy<T>(name: string): UseOfflineCopy<T> {
  const { copies } = useOffline();
  const copy = useSyncExternalStore(
    copies.subscribe,
    () => copies.get(name),
    () => copies.get(name),
  );
  if (copy === undefined) return { state: 'reading', value: undefined, keptAt: undefined };
  if (copy === null) return { state: 'none', value: undefined, keptAt: undefined };
  // Written under the same name by the caller of useSaveOfflineCopy.
  return { state: 'kept', value: copy.value as T, keptAt: copy.keptAt };
}

/**
 * Keeps a copy of an answer of the server. Never rejects: if there is no room there is no copy, and nothing else is
 * lost. The result says whether it was kept.
 */
export function useSaveOfflineCopy(): (name: string, value: unknown) => Promise<boolean> {
  const { copies } = useOffline();
  return useCallback(
    (name: string, value: unknown) =>
      copies.keep(name, value).then(
        () => true,
        () => false,
      ),
    [copies],
  );
}
