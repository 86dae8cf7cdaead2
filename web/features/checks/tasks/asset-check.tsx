import { QrCode } from 'lucide-react';
import { Navigate } from 'react-router-dom';
import { scanMessages } from '#shared/features/assets/scan-messages.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { FullPageSpinner } from '../../../ui/feedback/full-page-spinner.tsx';
import { useNextCheck } from '../recording/receipt/next-check.ts';

/**
 * The target of an asset label for operatives: redirects to the form of the asset's next check, at its row (ruling
 * A18).
 */
export default function AssetCheck({ id }: { id: string }) {
  const next = useNextCheck(id);
  if (next.status === 'loading') return <FullPageSpinner />;
  if (next.status === 'found') {
    const { slug } = CHECK_VOCABULARY[next.kind];
    return <Navigate to={`/operative-tasks/${slug}?site=${next.siteId}&asset=${id}`} replace />;
  }
  return (
    <main id="content" className="mx-auto max-w-lg p-6 pt-16">
      <EmptyState
        icon={<QrCode size={20} />}
        title={scanMessages.notHereTitle}
        text={scanMessages.notHere}
        action={<ButtonLink to="/operative-tasks">Operative Tasks</ButtonLink>}
      />
    </main>
  );
}
