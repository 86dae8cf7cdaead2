import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { VisitReceipt } from '#shared/features/checks/index.ts';

/** Outcome of a received check, for lists: its log number, and the issues that it raised or was added to. */
export function ReceiptLine({ receipt }: { receipt: Pick<VisitReceipt, 'logNumber' | 'raised' | 'late'> }) {
  const { logNumber, raised, late } = receipt;
  return (
    <>
      {logNumber !== null && (
        <p className="text-ink-2 tabular-nums">
          {`Log number ${logNumber}`}
          {late && ` · ${formMessages.late}`}
        </p>
      )}
      {raised.map(({ entryId, referenceNumber, joined }) => (
        <p key={entryId} className="font-medium text-bad">
          {joined ? formMessages.joined(referenceNumber) : formMessages.raised(referenceNumber)}
        </p>
      ))}
    </>
  );
}
