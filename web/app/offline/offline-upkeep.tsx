import { useEffect } from 'react';
import { ReceiptToasts } from '../../features/checks/recording/receipt/receipt-toasts.tsx';
import { ReportReceipts } from '../../features/issues/report/report-receipts.tsx';
import { useSession } from '../../features/session/session-context.ts';
import { WaitingTasks } from '../../features/tasks/list/waiting-tasks.tsx';
import { TaskReceipts } from '../../features/tasks/task-receipts.tsx';
import { useLiveStatus } from '../../live/hooks/use-live-status.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { rememberOwner } from '../../offline/owners.ts';
import { useSendQueue } from '../../offline/queue/use-send-queue.ts';
import { askToPersist, showBadge } from '../../offline/storage/persist.ts';

/** Connects the offline storage and send queue with the session, the stream and the browser. Renders only toasts. */
export function OfflineUpkeep() {
  const { sendQueue, copies } = useOffline();
  const { status, counts } = useSendQueue();
  const { state } = useLiveStatus();
  const { me, offline: unasked, reload } = useSession();
  const left = counts.waiting + counts.attachments;
  const shutOut = status.wait === 'sign-in';

  // The stream reconnects before the browser reports that it is online.
  useEffect(() => {
    if (state === 'live') sendQueue.kick();
  }, [sendQueue, state]);

  useEffect(() => showBadge(left), [left]);

  useEffect(() => {
    if (left > 0) void askToPersist();
  }, [left]);

  // The sign-in page names the owner while something is waiting.
  const { id, firstName } = me ?? {};
  const some = left + counts.attention > 0;
  useEffect(() => {
    if (id !== undefined && status.ready) rememberOwner(id, some ? firstName : undefined);
  }, [id, firstName, some, status.ready]);

  // The server refused the send queue because there is no session. Reloading the session leads to the sign-in page.
  useEffect(() => {
    if (shutOut) void reload();
  }, [shutOut, reload]);

  // Removes copies of buildings that the person may no longer see. A copy's name ends with the building's id. The list of
  // buildings must come from the server, not from the session record.
  const buildings = unasked ? undefined : me?.buildings;
  useEffect(() => {
    if (buildings === undefined || buildings === 'all') return;
    const lost = (name: string) => {
      const id = /:([0-9a-f-]{36})$/.exec(name)?.[1];
      return id !== undefined && !buildings.includes(id);
    };
    void copies.drop(lost).catch(() => undefined);
  }, [copies, buildings]);

  return (
    <>
      <ReportReceipts />
      <ReceiptToasts />
      <TaskReceipts />
      {me !== null && <WaitingTasks />}
    </>
  );
}
