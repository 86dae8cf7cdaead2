import type { VisitReceipt } from '#shared/features/checks/index.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { HeldMine, HeldRemark } from '../../features/checks/held/held-mine.tsx';
import { ImportedMine } from '../../features/checks/held/imported-mine.tsx';
import { ReceiptLine } from '../../features/checks/recording/receipt/receipt-line.tsx';
import { reopenPathOf } from '../../features/checks/recording/reopen-check.ts';
import { reportPathOf } from '../../features/issues/report/report-path.ts';
import { SyncPage } from '../../features/sync/sync-page.tsx';
import { CompletionCorrection } from '../../features/tasks/completion/completion-correction.tsx';
import { usePermissions } from '../../lib/can.tsx';
import type { QueuedCommand } from '../../offline/types.ts';

/** The Sync page: the device's send queue, and the decisions about the person's held and imported records. */
export default function SyncScreen() {
  const { can } = usePermissions();
  const records = can('create_operative_tasks');
  return (
    <SyncPage remarkOn={remarkOn} isHeld={isHeld} formPathOf={formPathOf}>
      {records && <HeldMine />}
      {can('view_logbook') && <ImportedMine />}
      <CompletionCorrection />
    </SyncPage>
  );
}

/** Returns the path of the form that opens the command again; each form handles inputs of older versions itself. */
function formPathOf(item: QueuedCommand): string | undefined {
  if (item.command === 'checks.record') return reopenPathOf(item);
  return item.command === 'issues.create' ? reportPathOf(item) : item.form?.path;
}

/** Returns whether the server holds the record for an administrator's decision. */
function isHeld({ receipt }: QueuedCommand): boolean {
  return Reflect.get(Object(receipt), 'held') === true;
}

/** Shows the reference or log number from the server's receipt. */
function remarkOn({ command, receipt }: QueuedCommand) {
  if (receipt === null) return null;
  // The casts: receipts have the type of the command's answer.
  if (command === 'issues.create') {
    const { referenceNumber } = receipt as Partial<Issue>;
    return referenceNumber && <p className="text-ink-2 tabular-nums">{`Reference ${referenceNumber}`}</p>;
  }
  if (command !== 'checks.record') return null;
  const { id, held, logNumber = null, raised = [], late = false } = receipt as Partial<VisitReceipt>;
  return held === true && id !== undefined ? (
    <HeldRemark visitId={id} />
  ) : (
    <ReceiptLine receipt={{ logNumber, raised, late }} />
  );
}
