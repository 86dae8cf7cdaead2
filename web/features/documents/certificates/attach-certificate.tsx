import { Paperclip } from 'lucide-react';
import { useId, useMemo } from 'react';
import { certificateMessages } from '#shared/features/tasks/certificate-messages.ts';
import type { Chosen } from '../upload/chosen-files.ts';
import { FileButton } from '../upload/file-button.tsx';
import { startBatch } from '../upload/start-batch.ts';
import { UploadRow } from '../upload/upload-row.tsx';
import type { UploadTarget } from '../upload/upload-types.ts';
import { useUploads } from '../upload/use-uploads.ts';

type Props = {
  buildingId: string;
  completionId: string;
  /** The completion in the words of the task's record, for screen readers. */
  completion: string;
};

/** Attaches certificates to a completion. The dialog shows the uploads itself, because it covers the upload tray. */
export default function AttachCertificate({ buildingId, completionId, completion }: Props) {
  const { queue, uploads } = useUploads();
  const hintId = useId();
  // The server selects the place: the discipline of the task's system.
  const target = useMemo(
    (): UploadTarget => ({ buildingId, place: { at: 'building' }, proofOf: { completionId } }),
    [buildingId, completionId],
  );
  const own = uploads.filter(
    ({ target: to, state }) =>
      to.proofOf?.completionId === completionId && state !== 'stored' && state !== 'cancelled',
  );
  const attach = (chosen: Chosen) => void startBatch(queue, chosen, target);
  return (
    <div className="grid gap-1.5 print:hidden">
      {own.length > 0 && (
        <ul className="rounded-control border border-line border-t-0">
          {own.map((upload) => (
            <UploadRow key={upload.id} upload={upload} queue={queue} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <FileButton
          size="sm"
          label={certificateMessages.attachTo(completion)}
          describedBy={hintId}
          onFiles={attach}
        >
          <Paperclip size={14} aria-hidden />
          {certificateMessages.attach}
        </FileButton>
        <p id={hintId} className="text-ink-2 text-sm">
          {certificateMessages.kept}
        </p>
      </div>
    </div>
  );
}
