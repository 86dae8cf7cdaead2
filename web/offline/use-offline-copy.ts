import { useCallback, useSyncExternalStore } from 'react';
import { useOffline } from './offline-context.tsx';

export type UseOfflineCopy<T> = {
  /** `reading` until this device has been read. */
  state: 'reading' | 'none' | 'kept';
  value: T | undefined;
  /** The time at which the copy was stored, ISO. */
  keptAt: string | undefined;
};

/**
 * A copy that was stored for reading without a connection.
 * @param name ends with `:<id>` of the copy's place, so that the copy is removed when the access to the place is
 *   lost
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
  // The cast: the caller of useSaveOfflineCopy wrote the value under the same name.
  return { state: 'kept', value: copy.value as T, keptAt: copy.keptAt };
}

/**
 * Stores a copy of an answer of the server. Never rejects: if there is no room, there is no copy, and nothing else is
 * lost. The result reports whether the copy was stored.
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
