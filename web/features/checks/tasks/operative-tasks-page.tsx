import { QrCode } from 'lucide-react';
import { formatDateTime } from '#shared/dates.ts';
import { scanMessages } from '#shared/features/assets/scan-messages.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Page } from '../../../ui/page.tsx';
import { useCards } from '../due/use-cards.ts';
import { OfflineStrip } from '../recording/offline-strip.tsx';
import { useDue } from '../recording/site/use-due.ts';
import { CheckCards } from './check-cards.tsx';
import { IncidentLinks } from './incident-links.tsx';
import { OfflineSites } from './offline-sites.tsx';

/** The kinds of checks with their standing, links to incident forms, and the sites available offline. */
export default function OperativeTasksPage() {
  const { can } = usePermissions();
  const cards = useCards();
  const due = useDue();
  const mayRecord = can('create_operative_tasks');
  return (
    <Page
      subtitle={formMessages.tasksSubtitle}
      actions={
        mayRecord && (
          <ButtonLink to="/scan">
            <QrCode size={18} aria-hidden />
            {scanMessages.title}
          </ButtonLink>
        )
      }
    >
      <div className="grid gap-4">
        <div className="empty:hidden max-sm:-mx-4">
          <OfflineStrip />
        </div>
        {!mayRecord && (
          <p role="note" className="rounded-panel bg-mute px-4 py-3 text-ink-2 text-md">
            {formMessages.viewOnly}
          </p>
        )}
        {cards.value !== undefined ? (
          <CheckCards cards={cards.value.cards} dueOf={due.of} inert={!mayRecord} />
        ) : cards.status === 'error' ? (
          <ErrorState
            title={messageFor(cards.error, checkMessages.loadFailed)}
            error={cards.error}
            onRetry={cards.refetch}
          />
        ) : (
          <div className="grid gap-3 sm:grid-cols-2">
            {[1, 2, 3, 4].map((n) => (
              <Skeleton key={n} className="h-[132px] rounded-phone" />
            ))}
          </div>
        )}
        {cards.keptAt !== undefined && (
          <p className="text-ink-2 text-sm">{offlineMessages.copyFrom(formatDateTime(cards.keptAt))}</p>
        )}
        {mayRecord && <IncidentLinks />}
        {mayRecord && <OfflineSites />}
      </div>
    </Page>
  );
}
