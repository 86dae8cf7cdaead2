import { logLoadFailed } from './log-load-failed.ts';
import './log.css';
import { BellOff, Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { Navigate } from 'react-router-dom';
import { periodsOfYear } from '#shared/check-periods.ts';
import { INCIDENT_VOCABULARY, incidentsOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_VOCABULARY, type CheckKind, kindOfSlug } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { Can, usePermissions } from '../../../lib/can.tsx';
import { useToday } from '../../../lib/time/use-today.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ExportLink } from '../../../ui/lists/export-link.tsx';
import { PrintButton } from '../../../ui/lists/print-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { checkCards } from '../register.live.ts';
import { AllSites } from './all-sites.tsx';
import { Legend } from './grid/cell-mark.tsx';
import { logFilterOf } from './log-filter.ts';
import { LogFilters } from './log-filters.tsx';
import { logSubtitle } from './log-subtitle.ts';
import { Rebuilding } from './rebuilding.tsx';
import { RecordsList } from './records/records-list.tsx';
import { SiteLog } from './site-log.tsx';
import { useLogState } from './use-log-state.ts';

const ThreadDialog = lazy(() => import('./thread/thread-dialog.tsx'));
const TrendDialog = lazy(() => import('./trend/trend-dialog.tsx'));

const LEGEND = ['pass', 'fail', 'not_tested', 'ahead'] as const;
const LEGEND_WITH_PARTS = ['pass', 'partial', 'fail', 'not_tested', 'ahead'] as const;
const BACK = { to: '/logbook', label: 'Log Book' };

/**
 * The log of one kind of check, for all sites or one.
 * @param slug the kind in the URL
 */
export default function LogPage({ slug, notFound }: { slug: string; notFound: ReactNode }) {
  const kind = kindOfSlug(slug);
  return kind === undefined ? notFound : <LogOfKind kind={kind} />;
}

function LogOfKind({ kind }: { kind: CheckKind }) {
  const { data: standing, status, error, refetch } = useLiveQuery(checkCards, undefined);
  const { logTitle } = CHECK_VOCABULARY[kind];
  const page = { title: logTitle, subtitle: logSubtitle(kind), back: BACK };
  if (status === 'error') {
    return (
      <Page {...page}>
        <ErrorState title={messageFor(error, logLoadFailed(kind))} error={error} onRetry={refetch} />
      </Page>
    );
  }
  if (standing === undefined) {
    return (
      <Page {...page}>
        <Skeleton className="h-64" />
      </Page>
    );
  }
  const card = standing.cards.find((each) => each.kind === kind);
  // A kind that is not enabled has no log.
  if (card === undefined) return <Navigate to={BACK.to} replace />;
  if (card.underRebuild) {
    return (
      <Page {...page}>
        <Rebuilding />
      </Page>
    );
  }
  return <Log kind={kind} />;
}

function Log({ kind }: { kind: CheckKind }) {
  const today = useToday();
  const { can } = usePermissions();
  // On a phone with further buttons, Export and Print show only their icons.
  const crowded =
    !useMedia('(min-width: 640px)') && incidentsOf(kind).length > 0 && can('create_operative_tasks');
  const { state, change, hrefOf } = useLogState(today, kind);
  const { logTitle, slug, cadence } = CHECK_VOCABULARY[kind];
  const periods = useMemo(() => periodsOfYear(cadence, state.year), [cadence, state.year]);
  const shared = { kind, periods, today, state, change, hrefOf };
  const formOf = (of: string) =>
    `/operative-tasks/${of}${state.building === null ? '' : `?site=${state.building}`}`;

  return (
    <Page
      title={logTitle}
      subtitle={logSubtitle(kind)}
      back={BACK}
      actions={
        <div className="flex flex-wrap items-center gap-2.5 max-sm:*:grow print:hidden">
          <ExportLink list="checks" filter={logFilterOf(kind, state)} iconOnly={crowded} />
          <PrintButton iconOnly={crowded} />
          <Can permission="create_operative_tasks">
            {incidentsOf(kind).map((incident) => (
              <ButtonLink key={incident} to={formOf(INCIDENT_VOCABULARY[incident].slug)}>
                <BellOff size={16} aria-hidden />
                {INCIDENT_VOCABULARY[incident].record}
              </ButtonLink>
            ))}
            <ButtonLink to={formOf(slug)} variant="primary" className="max-sm:basis-full">
              <Plus size={16} aria-hidden />
              {logMessages.addRecord}
            </ButtonLink>
          </Can>
        </div>
      }
    >
      <div data-log={kind}>
        <LogFilters kind={kind} state={state} today={today} onChange={change}>
          <Legend states={CHECK_VOCABULARY[kind].oneIsEnough === true ? LEGEND : LEGEND_WITH_PARTS} />
        </LogFilters>
        {state.building === null ? (
          <AllSites {...shared} />
        ) : state.entryKind !== null ? (
          // The week table shows tests; a single kind of entry is shown as a list.
          <RecordsList kind={kind} state={state} hrefOf={hrefOf} change={change} />
        ) : (
          <SiteLog {...shared} building={state.building} />
        )}
      </div>
      <Suspense fallback={null}>
        {state.entry !== null && (
          <ThreadDialog
            key={state.entry}
            entryId={state.entry}
            hrefOf={(entry) => hrefOf({ entry })}
            onClose={() => change({ entry: null })}
          />
        )}
        {state.entry === null && state.subject !== null && (
          <TrendDialog
            assetId={state.subject}
            hrefOf={(entry) => hrefOf({ entry })}
            onOpen={(entry) => change({ entry })}
            onClose={() => change({ subject: null })}
          />
        )}
      </Suspense>
    </Page>
  );
}
