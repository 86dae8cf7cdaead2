import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { VisitReceipt } from '#shared/features/checks/index.ts';

/** What became of a check, for a list: its number in the log book, and the issues that it raised or joined. */
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
