import { AlertTriangle, Info } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { DAY_MS, formatDateTime } from '#shared/dates.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { askToPersist } from '../../offline/storage/persist.ts';
import type { QueueStatus, QueueWait } from '../../offline/types.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { cx } from '../../ui/cx.ts';

const words = offlineMessages;
const WAITS: Readonly<Record<QueueWait, string>> = {
  offline: words.noConnection,
  retrying: words.retrying,
  'sign-in': words.signInFirst,
  update: words.updateFirst,
  storage: words.notWritten,
};

/** Notices with the reason why nothing is being sent, and with risks to unsent records. */
export function SyncNotices({ status }: { status: QueueStatus }) {
  const { wait, broken, oldestAt, counts } = status;
  const unsent = counts.waiting + counts.attachments > 0;
  const mayBeRemoved = useMayBeRemoved(unsent);
  const old = oldestAt !== null && Date.now() - Date.parse(oldestAt) > DAY_MS;
  const reload = (
    <Button size="sm" onClick={() => window.location.reload()}>
      Reload
    </Button>
  );
  return (
    <div className="grid gap-2 empty:hidden" role="status">
      {broken !== null && (
        <Notice serious action={broken === 'newer_version' ? reload : undefined}>
          {broken === 'newer_version' ? words.newerVersion : words.storageFailed}
        </Notice>
      )}
      {wait !== null && unsent && (
        <Notice serious={wait !== 'offline'} action={wait === 'update' ? reload : undefined}>
          {WAITS[wait]}
        </Notice>
      )}
      {old && <Notice serious>{words.oldest(formatDateTime(oldestAt))}</Notice>}
      {mayBeRemoved && <Notice>{words.mayBeRemoved}</Notice>}
    </div>
  );
}

function Notice(props: { serious?: boolean; action?: ReactNode; children: ReactNode }) {
  const { serious = false, action, children } = props;
  const Icon = serious ? AlertTriangle : Info;
  return (
    <div
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card px-4 py-3',
        serious ? 'bg-due-soft text-due' : 'bg-info-soft text-info',
      )}
    >
      <Icon size={18} aria-hidden className="shrink-0" />
      <p className="min-w-0 flex-1 font-medium">{children}</p>
      {action}
    </div>
  );
}

function useMayBeRemoved(unsent: boolean): boolean {
  const [persisted, setPersisted] = useState<boolean | undefined>(undefined);
  useEffect(() => {
    if (unsent) void askToPersist().then(setPersisted);
  }, [unsent]);
  return unsent && persisted === false;
}
