import { useEffect, useState } from 'react';
import type { CorrectionSource } from './offline.ts';
import { useOffline } from './offline-context.tsx';
import type { QueuedCommand } from './types.ts';
import { useSendQueue } from './use-send-queue.ts';

export type OpenedCorrection = QueuedCommand | 'opening' | 'gone' | 'failed';

/**
 * A refused entry that is to be put right: the entry itself once what it was made of lies in its drafts.
 * @param lay the same function at every render
 * @returns `gone` where it does not wait for that any more, and a way to try again where this device could not
 */
export function useCorrection(id: string, lay: CorrectionSource): [OpenedCorrection, retry: () => void] {
  const offline = useOffline();
  const { ready } = useSendQueue().status;
  const [opened, setOpened] = useState<OpenedCorrection>('opening');

  useEffect(() => {
    if (!ready || opened !== 'opening') return;
    let wanted = true;
    offline.reopen(id, lay).then(
      (item) => wanted && setOpened(item ?? 'gone'),
      () => wanted && setOpened('failed'),
    );
    return () => {
      wanted = false;
    };
  }, [offline, id, lay, ready, opened]);
  return [opened, () => setOpened('opening')];
}
