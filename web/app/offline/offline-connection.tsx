import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSession } from '../../features/session/session-context.ts';
import { OfflineContext } from '../../offline/offline-context.tsx';
import { lazyOffline } from './lazy-offline.ts';

/** Provides its children with the offline storage of the signed-in person. */
export function OfflineConnection({ children }: { children: ReactNode }) {
  const ready = useSyncExternalStore(lazyOffline.subscribe, lazyOffline.ready);
  const personId = useSession().me?.id;
  useEffect(() => {
    if (personId === undefined) return;
    lazyOffline.setPerson(personId);
    // Loading starts the send queue. A failure to load the code is shown by the component that needs it.
    if (lazyOffline.wasUsed()) void lazyOffline.load().catch(() => undefined);
    return () => lazyOffline.setPerson(null);
  }, [personId]);
  const access = useMemo(() => ({ ready, load: lazyOffline.load }), [ready]);
  return <OfflineContext value={access}>{children}</OfflineContext>;
}
