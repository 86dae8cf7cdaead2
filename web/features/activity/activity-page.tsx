import { History, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { activityMessages } from '#shared/features/activity/activity-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { PrintButton } from '../../ui/lists/print-button.tsx';
import { Page } from '../../ui/page.tsx';
import { useUrlState } from '../../ui/use-url-state.ts';
import { activityList } from './activity.live.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityList } from './activity-list.tsx';
import { activityUrl, hasFilters, toActivityFilter } from './activity-url.ts';
import { PrintableActivity } from './printable-activity.tsx';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The activity list of the organisation, with filters and export. */
export default function ActivityPage() {
  const { state, change } = useUrlState(activityUrl);
  const filter = useMemo(() => toActivityFilter(state), [state]);
  const list = useLiveList(activityList, filter);
  const { page, status, error, refetch } = list;

  return (
    <Page
      subtitle={activityMessages.subtitle}
      back={{ to: '/dashboard', label: 'Back to Dashboard' }}
      actions={
        <>
          <ExportLink list="activity" filter={filter} />
          <PrintButton />
        </>
      }
    >
      <div className="grid gap-4 print:block">
        <div className="print:hidden">
          <ActivityFilters state={state} onChange={change} />
        </div>
        {status === 'loading' && (
          <div className="grid gap-2" aria-busy>
            {SKELETONS.map((row) => (
              <Skeleton key={row} className="h-14" />
            ))}
          </div>
        )}
        {status === 'error' && (
          <ErrorState
            title={activityMessages.failed}
            text={messageFor(error, messages.common.notReached)}
            error={error}
            onRetry={refetch}
          />
        )}
        {page?.rows.length === 0 && (
          <Nothing narrowed={hasFilters(state)} onClear={() => change(activityUrl.defaults)} />
        )}
        {page !== undefined && page.rows.length > 0 && (
          <PrintableActivity list={list} names={page.names} state={state}>
            <ActivityList key={JSON.stringify(filter)} {...list} names={page.names} />
          </PrintableActivity>
        )}
      </div>
    </Page>
  );
}

function Nothing({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  return narrowed ? (
    <EmptyState
      icon={<SearchX size={20} />}
      title={activityMessages.noneMatch}
      action={<Button onClick={onClear}>Clear Filters</Button>}
    />
  ) : (
    <EmptyState icon={<History size={20} />} title={activityMessages.none} />
  );
}
