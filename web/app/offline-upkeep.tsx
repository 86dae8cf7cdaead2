import { useEffect } from 'react';
import { ReceiptToasts } from '../features/checks/recording/receipt-toasts.tsx';
import { ReportReceipts } from '../features/issues/report-receipts.tsx';
import { useSession } from '../features/session/session-context.ts';
import { useLiveStatus } from '../live/use-live-status.ts';
import { useOffline } from '../offline/offline-context.tsx';
import { rememberOwner } from '../offline/owners.ts';
import { askToPersist, showBadge } from '../offline/persist.ts';
import { useSendQueue } from '../offline/use-send-queue.ts';

/** What the device's keeping needs to know of the rest of the page, and the other way round. Shows nothing by itself. */
export function OfflineUpkeep() {
  const { outbox, copies } = useOffline();
  const { status, counts } = useSendQueue();
  const { state } = useLiveStatus();
  const { me, offline: unasked, reload } = useSession();
  const left = counts.waiting + counts.attachments;
  const shutOut = status.wait === 'sign-in';

  // The stream is back before the browser says anything.
  useEffect(() => {
    if (state === 'live') outbox.kick();
  }, [outbox, state]);

  useEffect(() => showBadge(left), [left]);

  useEffect(() => {
    if (left > 0) void askToPersist();
  }, [left]);

  // Known to the sign-in page for as long as something waits.
  const { id, firstName } = me ?? {};
  const some = left + counts.attention > 0;
  useEffect(() => {
    if (id !== undefined && status.ready) rememberOwner(id, some ? firstName : undefined);
  }, [id, firstName, some, status.ready]);

  // The server does not know this session any more: the page finds out, and asks to sign in.
  useEffect(() => {
    if (shutOut) void reload();
  }, [shutOut, reload]);

  // Of places that the person may not see any more nothing is kept. A copy's name ends with the place's id.
  // Only the server knows which those are.
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
    </>
  );
}
