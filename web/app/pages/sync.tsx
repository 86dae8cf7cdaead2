import type { VisitReceipt } from '#shared/features/checks/index.ts';
import { HeldMine, HeldRemark } from '../../features/checks/held/held-mine.tsx';
import { SyncPage } from '../../features/sync/sync-page.tsx';
import { usePermissions } from '../../lib/can.tsx';
import type { OutboxItem } from '../../offline/types.ts';

/** What this device has sent, and what was decided about the checks that were held. */
export default function SyncScreen() {
  const records = usePermissions().can('create_operative_tasks');
  return <SyncPage remarkOn={(item) => records && remarkOn(item)}>{records && <HeldMine />}</SyncPage>;
}

function remarkOn({ command, receipt }: OutboxItem) {
  if (command !== 'checks.record') return null;
  // The cast: what the server answers to this command.
  const { id, held } = (receipt ?? {}) as Partial<VisitReceipt>;
  return held === true && id !== undefined ? <HeldRemark visitId={id} /> : null;
}
