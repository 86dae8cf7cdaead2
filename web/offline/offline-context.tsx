import { createContext, use, useContext } from 'react';
import type { Offline } from './offline.ts';

export type OfflineAccess = {
  /** The offline storage; undefined until it is first used. */
  ready: Offline | undefined;
  /** Loads the code and opens the storage; the same promise each time. */
  load: () => Promise<Offline>;
};

export const OfflineContext = createContext<OfflineAccess | undefined>(undefined);

/** The offline storage of the signed-in person; suspends until its code is loaded. */
export function useOffline(): Offline {
  const access = useContext(OfflineContext);
  if (access === undefined) throw new Error('useOffline needs an OfflineContext above it');
  return access.ready ?? use(access.load());
}

/** The offline storage if it has been used already; undefined otherwise. */
export function useOfflineIfUsed(): Offline | undefined {
  return useContext(OfflineContext)?.ready;
}

/** Loads the offline storage on demand, for screens where most people only read. */
export function useLoadOffline(): () => Promise<Offline> {
  const access = useContext(OfflineContext);
  if (access === undefined) throw new Error('useLoadOffline needs an OfflineContext above it');
  return access.load;
}
