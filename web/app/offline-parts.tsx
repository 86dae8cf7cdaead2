import { Suspense, useEffect } from 'react';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { useOfflineIfUsed } from '../offline/offline-context.tsx';
import { useUnsent } from '../offline/use-unsent.ts';
import { pages } from './pages.ts';

const Upkeep = lazyScreen(async () => ({ default: (await import('./offline-upkeep.tsx')).OfflineUpkeep }));
const Chip = lazyScreen(async () => ({ default: (await import('../features/sync/sync-chip.tsx')).SyncChip }));

/** Runs beside the screens once this device keeps anything. Shows nothing by itself. */
export function OfflineUpkeepIfUsed() {
  const used = useOfflineIfUsed() !== undefined;
  return <Suspense fallback={null}>{used && <Upkeep />}</Suspense>;
}

/** In the header, while something is only on this device. */
export function UnsentChip() {
  const { waiting, attachments, attention } = useUnsent();
  const some = waiting + attachments + attention > 0;
  const used = useOfflineIfUsed() !== undefined;
  // What is wanted when the network is gone is fetched before.
  useEffect(() => {
    if (used) void Chip.preload();
  }, [used]);
  return <Suspense fallback={null}>{some && <Chip to={pages.sync.path} />}</Suspense>;
}
