import { Suspense, useEffect, useState } from 'react';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { useOfflineIfUsed } from '../../offline/offline-context.tsx';
import { useUnsent } from '../../offline/queue/use-unsent.ts';
import { pages } from '../pages.ts';

const Upkeep = lazyScreen(async () => ({ default: (await import('./offline-upkeep.tsx')).OfflineUpkeep }));
const Chip = lazyScreen(async () => ({
  default: (await import('../../features/sync/sync-chip.tsx')).SyncChip,
}));

/**
 * Mounts the upkeep of the offline storage once the storage is in use: when the page is settled, or at once if something
 * waits on this device, because the upkeep reports the outcome of waiting records. Renders nothing itself.
 */
export function OfflineUpkeepIfUsed({ isSettled }: { isSettled: boolean }) {
  const used = useOfflineIfUsed() !== undefined;
  const { waiting, attachments, attention } = useUnsent();
  const [isWanted, setWanted] = useState(false);
  const isNeeded = isSettled || waiting + attachments + attention > 0;
  if (isNeeded && !isWanted) setWanted(true);
  return <Suspense fallback={null}>{used && isWanted && <Upkeep />}</Suspense>;
}

/** Chip in the header, shown while something is stored only on this device. */
export function UnsentChip({ isSettled }: { isSettled: boolean }) {
  const { waiting, attachments, attention } = useUnsent();
  const some = waiting + attachments + attention > 0;
  const used = useOfflineIfUsed() !== undefined;
  // The chip's code is loaded in advance, because the chip is needed when the network is gone.
  useEffect(() => {
    if (used && isSettled) void Chip.preload();
  }, [used, isSettled]);
  return <Suspense fallback={null}>{some && <Chip to={pages.sync.path} />}</Suspense>;
}
