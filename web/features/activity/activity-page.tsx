import { History, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { activityMessages } from '#shared/features/activity-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { activityList, fetchEarlier } from './activity.live.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityList } from './activity-list.tsx';
import {
  type ActivityState,
  isNarrowed,
  readActivityState,
  toActivityFilter,
  writeActivityState,
} from './activity-url.ts';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Who did what, when, from what to what. */
export default function ActivityPage() {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readActivityState(params), [params]);
  const filter = useMemo(() => toActivityFilter(state), [state]);
  const { data, status, error, refetch, loadMore, isLoadingMore } = useLiveQuery(activityList, filter);

  const change = useCallback(
    (patch: Partial<ActivityState>) => setParams(writeActivityState({ ...state, ...patch })),
    [state, setParams],
  );
  const onMore = useCallback(() => {
    if (data === undefined) return;
    loadMore(() => fetchEarlier(filter, data)).catch(() => refetch());
  }, [data, filter, loadMore, refetch]);

  return (
    <Page
      title={activityMessages.title}
      subtitle={activityMessages.subtitle}
      back={{ to: '/dashboard', label: 'Back to Dashboard' }}
      actions={<ExportLink list="activity" filter={filter} />}
    >
      <div className="grid gap-4">
        <ActivityFilters state={state} onChange={change} />
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
            onRetry={refetch}
          />
        )}
        {data !== undefined && data.entries.length === 0 && (
          <Nothing narrowed={isNarrowed(state)} onClear={() => setParams({})} />
        )}
        {data !== undefined && data.entries.length > 0 && (
          <ActivityList
            key={JSON.stringify(filter)}
            page={data}
            isLoadingMore={isLoadingMore}
            onMore={onMore}
          />
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
