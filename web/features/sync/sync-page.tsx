import { Check, Download, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { usePermissions } from '../../lib/can.tsx';
import { useOffline } from '../../offline/offline-context.tsx';
import { useSendQueue } from '../../offline/queue/use-send-queue.ts';
import type { QueuedCommand } from '../../offline/types.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toastError } from '../../ui/feedback/toast.ts';
import { Page } from '../../ui/page.tsx';
import { useMe } from '../session/session-context.ts';
import { DiscardDialog } from './discard-dialog.tsx';
import { exportUnsent } from './export-unsent.ts';
import { ImportUnsent } from './import-unsent.tsx';
import { OthersUnsent } from './others-unsent.tsx';
import { SyncItem } from './sync-item.tsx';
import { SyncNotices } from './sync-notices.tsx';

const words = offlineMessages;

type Props = {
  /** Returns the remark on a received command; commands belong to other features. */
  remarkOn?: (item: QueuedCommand) => ReactNode;
  /** Returns whether an administrator has yet to decide on a received command. */
  isHeld: (item: QueuedCommand) => boolean;
  /** Returns the path of the form that corrects a refused command; forms belong to other features. */
  formPathOf: (item: QueuedCommand) => string | undefined;
  /** Shown below this device's commands. */
  children?: ReactNode;
};

/** All queued commands of the signed-in person on this device, unsent ones first. */
export function SyncPage({ remarkOn, isHeld, formPathOf, children }: Props) {
  const me = useMe();
  const { can } = usePermissions();
  const { items: store } = useOffline();
  const { items, status, counts, sendNow, retry, discard } = useSendQueue();
  const [discarding, setDiscarding] = useState<QueuedCommand | undefined>(undefined);
  const waiting = items.filter((item) => !isDone(item));
  const received = items.filter(isDone).reverse();
  const unsent = counts.waiting + counts.attachments + counts.attention;

  return (
    <Page
      subtitle={words.subtitle}
      narrow
      actions={
        unsent > 0 && (
          <>
            <Button onClick={() => void exportUnsent(store, me)}>
              <Download size={16} aria-hidden />
              Export to file
            </Button>
            <Button variant="primary" onClick={() => void told(sendNow())}>
              <RefreshCw size={16} aria-hidden />
              Send all now
            </Button>
          </>
        )
      }
    >
      <div className="grid max-w-4xl gap-3">
        <SyncNotices status={status} />
        {!status.ready ? (
          <Skeleton className="h-24" />
        ) : waiting.length === 0 ? (
          status.broken === null && (
            <EmptyState icon={<Check size={20} />} title={words.nothing} text={words.nothingText} />
          )
        ) : (
          <ul className="grid gap-3" aria-label="Waiting to be sent">
            {waiting.map((item) => (
              <li key={item.id}>
                <SyncItem
                  item={item}
                  formPath={formPathOf(item)}
                  onRetry={() => void told(retry(item.id))}
                  onDiscard={() => setDiscarding(item)}
                />
              </li>
            ))}
          </ul>
        )}
        {received.length > 0 && (
          <section className="mt-4 grid gap-3">
            <h2 className="font-semibold text-md">Received in the last day</h2>
            <ul className="grid gap-3" aria-label="Received">
              {received.map((item) => (
                <li key={item.id}>
                  <SyncItem
                    item={item}
                    remark={remarkOn?.(item)}
                    held={isHeld(item)}
                    formPath={undefined}
                    onRetry={() => undefined}
                    onDiscard={() => undefined}
                  />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {children}
      {can('manage_users') && (
        <>
          <OthersUnsent />
          <ImportUnsent />
        </>
      )}
      {discarding !== undefined && (
        <DiscardDialog item={discarding} discard={discard} onClose={() => setDiscarding(undefined)} />
      )}
    </Page>
  );
}

function isDone({ state, attachments }: QueuedCommand): boolean {
  return state === 'received' && attachments.every((one) => one.state === 'received');
}

/** Shows a toast when an action fails on this device. */
async function told(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch {
    toastError(words.actionFailed);
  }
}
