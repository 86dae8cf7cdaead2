import { Suspense, useEffect } from 'react';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { useOfflineIfUsed } from '../../offline/offline-context.tsx';
import { useUnsent } from '../../offline/queue/use-unsent.ts';
import { pages } from '../pages.ts';

const Upkeep = lazyScreen(async () => ({ default: (await import('./offline-upkeep.tsx')).OfflineUpkeep }));
const Chip = lazyScreen(async () => ({
  default: (await import('../../features/sync/sync-chip.tsx')).SyncChip,
}));

/** Mounts the upkeep of the offline storage once it is in use and the page is settled. Renders nothing itself. */
export function OfflineUpkeepIfUsed({ isSettled }: { isSettled: boolean }) {
  const used = useOfflineIfUsed() !== undefined;
  return <Suspense fallback={null}>{used && isSettled && <Upkeep />}</Suspense>;
}

/** Chip in the header, shown while something is stored only on this device. */
export function UnsentChip({ isSettled }: { isSettled: boolean }) {
  const { waiting, attachments, attention } = useUnsent();
  const some = waiting + attachments + attention > 0;
  const used = useOfflineIfUsed() !== undefined;
  // The chip's code is loaded in advance, because it is needed when the network is gone.
  useEffect(() => {
    if (used && isSettled) void Chip.preload();
  }, [used, isSettled]);
  return <Suspense fallback={null}>{some && <Chip to={pages.sync.path} />}</Suspense>;
}
