import { useEffect, useState } from 'react';
import type { CorrectionSource } from './offline.ts';
import { useOffline } from './offline-context.tsx';
import { useSendQueue } from './queue/use-send-queue.ts';
import type { QueuedCommand } from './types.ts';

export type OpenedCorrection = QueuedCommand | 'opening' | 'gone' | 'failed';

/**
 * Opens a refused command for correction: returns the command once its contents are in drafts.
 * @param draftsOf the same function at every render
 * @returns `gone` if the command no longer needs a correction, `failed` if this device could not open it; `retry` tries
 *   again
 */
export function useCorrection(id: string, draftsOf: CorrectionSource): [OpenedCorrection, retry: () => void] {
  const offline = useOffline();
  const { ready } = useSendQueue().status;
  const [opened, setOpened] = useState<OpenedCorrection>('opening');

  useEffect(() => {
    if (!ready || opened !== 'opening') return;
    let wanted = true;
    offline.reopen(id, draftsOf).then(
      (item) => wanted && setOpened(item ?? 'gone'),
      () => wanted && setOpened('failed'),
    );
    return () => {
      wanted = false;
    };
  }, [offline, id, draftsOf, ready, opened]);
  return [opened, () => setOpened('opening')];
}
