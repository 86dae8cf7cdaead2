import { useCallback, useSyncExternalStore } from 'react';
import { useOffline } from './offline-context.tsx';

export type UseOfflineCopy<T> = {
  /** `reading` until this device has been read. */
  state: 'reading' | 'none' | 'kept';
  value: T | undefined;
  /** ISO: how old it is. */
  keptAt: string | undefined;
};

/**
 * What was kept under a name for reading with no connection.
 * @param name ends with `:<id>` of the place that it is about, so that it goes when access to that place does
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
  // Put there under the same name by the caller of keepCopy.
  return { state: 'kept', value: copy.value as T, keptAt: copy.keptAt };
}

/** Keeps a copy of what the server said. Never rejects: without room there is no copy, and nothing else is lost. */
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
