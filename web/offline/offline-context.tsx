import { createContext, use, useContext } from 'react';
import type { Offline } from './offline.ts';

export type OfflineAccess = {
  /** Undefined until something on this device has been used. */
  ready: Offline | undefined;
  /** The same promise each time. */
  load: () => Promise<Offline>;
};

export const OfflineContext = createContext<OfflineAccess | undefined>(undefined);

/** What this device keeps for the person signed in; suspends until its code is here. */
export function useOffline(): Offline {
  const access = useContext(OfflineContext);
  if (access === undefined) throw new Error('useOffline needs an OfflineContext above it');
  return access.ready ?? use(access.load());
}

/** The same where it has been used already, for what is only of interest then. */
export function useOfflineIfUsed(): Offline | undefined {
  return useContext(OfflineContext)?.ready;
}

/** Gets it when something is to be kept, where most people only look. */
export function useLoadOffline(): () => Promise<Offline> {
  const access = useContext(OfflineContext);
  if (access === undefined) throw new Error('useLoadOffline needs an OfflineContext above it');
  return access.load;
}
