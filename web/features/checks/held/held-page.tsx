import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import type { HeldVisit } from '#shared/features/checks/procedure-answers.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Page } from '../../../ui/page.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { heldVisits } from './held.live.ts';
import { HeldCard } from './held-card.tsx';

type Deciding = { visit: HeldVisit; accept: boolean };

/** Held records: the recorder had no access to the building. An administrator accepts or refuses each. */
export default function HeldPage() {
  const { data, status, error, refetch } = useLiveQuery(heldVisits, undefined);
  const [deciding, setDeciding] = useState<Deciding>();
  return (
    <Page subtitle={heldMessages.subtitle} back={{ to: '/logbook', label: 'Log Book' }}>
      {status === 'error' ? (
        <ErrorState title={messageFor(error, heldMessages.loadFailed)} error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <div className="grid gap-3.5" aria-busy>
          <Skeleton className="h-44" />
          <Skeleton className="h-44" />
        </div>
      ) : data.visits.length === 0 ? (
        <EmptyState icon={<Inbox size={20} />} title={heldMessages.nothing} text={heldMessages.nothingText} />
      ) : (
        <>
          <ul className="grid max-w-5xl gap-3.5" aria-label={heldMessages.title}>
            {data.visits.map((visit) => (
              <li key={visit.id} data-held={visit.id}>
                <HeldCard visit={visit} onDecide={(accept) => setDeciding({ visit, accept })} />
              </li>
            ))}
          </ul>
          {data.total > data.visits.length && (
            <p className="mt-3 text-ink-2">{heldMessages.first(data.visits.length, data.total)}</p>
          )}
        </>
      )}
      {deciding !== undefined && <DecideDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </Page>
  );
}
