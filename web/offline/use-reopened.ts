import { useEffect, useState } from 'react';
import type { Reopening } from './offline.ts';
import { useOffline } from './offline-context.tsx';
import type { OutboxItem } from './types.ts';
import { useOutbox } from './use-outbox.ts';

export type Reopened = OutboxItem | 'opening' | 'gone' | 'failed';

/**
 * A refused entry that is to be put right: the entry itself once what it was made of lies in its drafts.
 * @param lay the same function at every render
 * @returns `gone` where it does not wait for that any more, and a way to try again where this device could not
 */
export function useReopened(id: string, lay: Reopening): [Reopened, retry: () => void] {
  const offline = useOffline();
  const { ready } = useOutbox().status;
  const [opened, setOpened] = useState<Reopened>('opening');

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
