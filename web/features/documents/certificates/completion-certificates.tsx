import { lazy, Suspense } from 'react';
import type { Document } from '#shared/features/documents/documents.ts';
import { CERTIFICATES_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { CertificateList } from './certificate-list.tsx';

const AttachCertificate = lazy(() => import('./attach-certificate.tsx'));

type Props = {
  buildingId: string;
  completionId: string;
  /** The completion in the words of the task's record, for screen readers: "Completed on Nov 20, 2026". */
  completion: string;
  /** The certificates of all completions of the task. */
  certificates: readonly Document[];
  /** Today's date for the organisation, by which expiry is judged. */
  today: string;
  mayAttach: boolean;
};

/** The certificates of a completion; people who may edit tasks can attach more. Certificates cannot be removed. */
export function CompletionCertificates(props: Props) {
  const { completionId, certificates, today, mayAttach } = props;
  const own = certificates.filter(({ proof }) => proof?.completionId === completionId);
  const isFull = own.length >= CERTIFICATES_MAX;
  if (own.length === 0 && !mayAttach) return null;
  return (
    <div className="mt-1.5 grid min-w-0 gap-2">
      {own.length > 0 && <CertificateList certificates={own} today={today} />}
      {mayAttach && isFull && (
        <p className="text-ink-2 text-sm">{documentMessages.tooManyCertificates(CERTIFICATES_MAX)}</p>
      )}
      {mayAttach && !isFull && (
        <Suspense fallback={<div className="h-8 pointer-coarse:h-12" />}>
          <AttachCertificate {...props} />
        </Suspense>
      )}
    </div>
  );
}
