import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Document } from '#shared/features/documents/documents.ts';
import { certificateMessages } from '#shared/features/tasks/certificate-messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { DocumentExpiry } from '../browser/item-badges.tsx';
import { ItemIcon } from '../browser/item-icon.tsx';
import { downloadDocuments, requestLink } from '../download.ts';
import { documentItem } from '../items.ts';

const DocumentPreview = lazy(() => import('../preview/document-preview.tsx'));

type Props = {
  certificates: readonly Document[];
  /** Today's date for the organisation. */
  today: string;
};

/** The certificates of a completion. Each opens in its preview. */
export function CertificateList({ certificates, today }: Props) {
  const [openedId, setOpenedId] = useState<string>();
  const opened = certificates.find(({ id }) => id === openedId);
  return (
    <>
      <ul
        aria-label={certificateMessages.title}
        className="divide-y divide-line rounded-control border border-line"
      >
        {certificates.map((certificate) => (
          <li key={certificate.id} className="flex items-center gap-2.5 py-1 pr-1 pl-3">
            <ItemIcon item={documentItem(certificate)} size={18} />
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-0.5 py-1">
              <button
                type="button"
                onClick={() => setOpenedId(certificate.id)}
                className="min-w-0 rounded-control text-left font-medium text-ink [overflow-wrap:anywhere] hover:underline pointer-coarse:min-h-12"
              >
                <bdi>{certificate.fileName}</bdi>
              </button>
              <DocumentExpiry document={certificate} today={today} always />
              <p className="text-ink-2 text-xs">
                {formatFileSize(certificate.fileSize ?? 0)} · {certificate.uploadedByName} ·{' '}
                <RelativeTime at={certificate.uploadedAt} />
              </p>
            </div>
            <IconButton
              label={certificateMessages.download(certificate.fileName)}
              onClick={() => void downloadDocuments([certificate])}
            >
              <Download size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <Suspense fallback={null}>
          <DocumentPreview
            document={opened}
            requestLink={requestLink}
            today={today}
            onClose={() => setOpenedId(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
