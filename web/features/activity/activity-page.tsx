import { History } from 'lucide-react';
import { useMemo } from 'react';
import { activityMessages } from '#shared/features/activity/activity-messages.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { ListStates } from '../../ui/list-states.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { PrintButton } from '../../ui/lists/print-button.tsx';
import { Page } from '../../ui/page.tsx';
import { useUrlState } from '../../ui/use-url-state.ts';
import { activityList } from './activity.live.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityList } from './activity-list.tsx';
import { activityUrl, hasFilters, toActivityFilter } from './activity-url.ts';
import { PrintableActivity } from './printable-activity.tsx';

/** The activity list of the organisation, with filters and export. */
export default function ActivityPage() {
  const { state, change } = useUrlState(activityUrl);
  const filter = useMemo(() => toActivityFilter(state), [state]);
  const list = useLiveList(activityList, filter);
  const { page } = list;

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
        <ListStates
          list={list}
          isEmpty={page?.rows.length === 0}
          skeleton="h-14"
          failed={activityMessages.failed}
          none={{ icon: <History size={20} />, title: activityMessages.none }}
          narrowed={
            hasFilters(state)
              ? { title: activityMessages.noneMatch, onClear: () => change(activityUrl.defaults) }
              : undefined
          }
        >
          {page !== undefined && (
            <PrintableActivity list={list} names={page.names} state={state}>
              <ActivityList key={JSON.stringify(filter)} {...list} names={page.names} />
            </PrintableActivity>
          )}
        </ListStates>
      </div>
    </Page>
  );
}
