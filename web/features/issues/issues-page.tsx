import { Building2, Columns3, LayoutGrid, List, Plus, SearchX, TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import type { Issue } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUSES, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { usePermissions } from '../../lib/can.tsx';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useStable } from '../../lib/use-stable.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { cx } from '../../ui/cx.ts';
import { preloadDialog } from '../../ui/dialogs/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { PrintButton } from '../../ui/lists/print-button.tsx';
import { Page } from '../../ui/page.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { useUrlState } from '../../ui/use-url-state.ts';
import { BuildingPicker } from '../locations/pickers/building-picker.tsx';
import { myBuildings } from '../locations/pickers/my-buildings.live.ts';
import { NoBuildings } from '../locations/pickers/no-buildings.tsx';
import { useScope } from '../locations/pickers/use-scope.ts';
import { useMe } from '../session/session-context.ts';
import { useMoveIssue } from './board/use-move-issue.ts';
import { useClosingQuestion } from './details/closing-question.tsx';
import { IssueDialogs } from './issue-dialogs.tsx';
import { issueCounts } from './issues.live.ts';
import {
  hasFilters,
  type IssuesState,
  type IssueView,
  issuesUrl,
  NO_FILTERS,
  toIssueFilter,
} from './issues-url.ts';
import { IssuesView } from './issues-view.tsx';
import { countText } from './list/count-text.ts';
import { IssueFilters } from './list/issue-filters.tsx';
import { IssueSkeletons } from './list/issue-skeletons.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const VIEWS: readonly { value: IssueView; label: string; icon: ReactNode }[] = [
  { value: 'cards', label: 'Cards', icon: <LayoutGrid size={15} aria-hidden /> },
  { value: 'board', label: 'Board', icon: <Columns3 size={15} aria-hidden /> },
  { value: 'list', label: 'List', icon: <List size={15} aria-hidden /> },
];

/** Building Issues: choice of building, filters, three views, and the dialogs to report and open an issue. */
export default function IssuesPage() {
  const me = useMe();
  const { can } = usePermissions();
  const { state, change, open, close, entry } = useUrlState(issuesUrl);
  const closeDialogs = useCallback(() => close({ issue: null, report: null }), [close]);
  const places = useLiveQuery(myBuildings, undefined);
  const restore = useCallback((building: string) => change({ building }, { replace: true }), [change]);
  const scope = useScope({
    page: 'issues',
    building: state.building,
    places: places.data,
    onRemembered: restore,
  });
  const filter = useMemo(
    () => toIssueFilter(state, scope.buildingId, me.id),
    [state, scope.buildingId, me.id],
  );
  const steadyFilter = useStable(filter);
  const counts = useLiveQuery(issueCounts, steadyFilter, { enabled: scope.chosen });
  const search = useRef<HTMLInputElement>(null);
  const wide = useMedia('(min-width: 768px)');
  const { mayClose, question } = useClosingQuestion();
  const onMove = useMoveIssue(mayClose);
  const canManage = can('manage_building_issues');
  const canReport = can('create_building_issues');
  const narrowed = hasFilters(state);

  const hrefOf = useHrefOf(state);
  const report = useCallback(() => {
    if (canReport && !scope.none) open({ report: scope.buildingId ?? 'choose' });
  }, [canReport, open, scope.none, scope.buildingId]);
  const shortcuts = useShortcuts({
    search,
    onReport: report,
    off: state.issue !== null || state.report !== null,
  });
  const onEdit = useCallback((issue: Issue) => open({ issue: issue.id }, { edit: true }), [open]);

  const count = useLast(counts.data && countText(counts.data, narrowed));
  const nothing = counts.data !== undefined && counts.data.matching === 0;
  const board = state.view === 'board';
  const fill = board && wide && scope.chosen && !nothing && counts.status !== 'error';

  return (
    <Page
      subtitle={messages.issues.subtitle}
      back={null}
      fill={fill}
      actions={
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2.5 max-sm:w-full">
          {!scope.none && (
            <div className="min-w-0 max-sm:flex-auto">
              <BuildingPicker
                align="end"
                value={scope.picked}
                onChange={(id) => change({ building: id })}
                first={scope.everywhere}
              />
            </div>
          )}
          {canReport && scope.chosen && (
            <Button variant="primary" onClick={report} onPointerEnter={preloadDialog} className="max-sm:grow">
              <Plus size={16} aria-hidden className="max-sm:hidden" />
              {scope.buildingId === undefined ? 'Report at a site…' : 'Report Issue'}
            </Button>
          )}
        </div>
      }
    >
      {scope.none ? (
        <NoBuildings />
      ) : !scope.chosen && places.status === 'error' ? (
        <ErrorState
          title={messageFor(places.error, messages.locations.loadFailed)}
          error={places.error}
          onRetry={places.refetch}
        />
      ) : !scope.chosen && (places.status === 'loading' || scope.isRestoring) ? (
        // The building may follow from the list of the person's buildings.
        <IssueSkeletons />
      ) : !scope.chosen ? (
        <EmptyState
          icon={<Building2 size={20} />}
          title={messages.issues.selectBuilding}
          text="Choose a building above to see its issues."
        />
      ) : (
        <>
          <div className={cx('print:hidden', fill ? 'mb-2.5' : 'mb-4')}>
            <IssueFilters
              state={state}
              onChange={change}
              searchRef={search}
              count={count}
              end={
                <div className="flex shrink-0 items-center gap-2">
                  <ExportLink list="issues" filter={steadyFilter} iconOnly />
                  <PrintButton iconOnly notOnPhone />
                  <SegmentedControl
                    label="View"
                    value={state.view}
                    options={VIEWS}
                    onChange={(view) => change({ view })}
                    iconsOnPhone
                  />
                </div>
              }
            />
          </div>
          {counts.status === 'error' ? (
            <ErrorState
              title={messageFor(counts.error, messages.issues.fetchFailed)}
              error={counts.error}
              onRetry={counts.refetch}
            />
          ) : nothing ? (
            <Nothing
              narrowed={narrowed}
              onClear={() => change(NO_FILTERS)}
              onReport={canReport ? report : undefined}
            />
          ) : (
            <IssuesView
              key={JSON.stringify(steadyFilter)}
              view={state.view}
              filter={steadyFilter}
              statuses={state.statuses.length === 0 ? ISSUE_STATUSES : state.statuses}
              counts={counts.data}
              column={state.column}
              onColumn={(column: IssueStatus) => change({ column }, { replace: true })}
              showBuilding={scope.buildingId === undefined}
              mine={state.mine}
              hrefOf={hrefOf}
              onMove={canManage ? onMove : undefined}
              onEdit={onEdit}
            />
          )}
        </>
      )}
      <IssueDialogs
        state={state}
        startsInForm={isEditEntry(entry)}
        canReport={canReport}
        onChoose={(report) => change({ report }, { replace: true })}
        onClose={closeDialogs}
        shortcuts={shortcuts}
      />
      {question}
    </Page>
  );
}

/** Returns whether an entry of the browser's history opens an issue in its form. */
function isEditEntry(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && Reflect.get(entry, 'edit') === true;
}

function useHrefOf(state: IssuesState): (id: string) => string {
  const base = issuesUrl.write({ ...state, issue: null, report: null }).toString();
  return useCallback((id: string) => `?${base}${base === '' ? '' : '&'}issue=${id}`, [base]);
}

/** Returns the last defined value, so that the count does not disappear while the next one loads. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

type NothingProps = { narrowed: boolean; onClear: () => void; onReport: (() => void) | undefined };

function Nothing({ narrowed, onClear, onReport }: NothingProps) {
  if (narrowed) {
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title={messages.issues.noneMatch}
        text="Try fewer filters or another search."
        action={<Button onClick={onClear}>Clear Filters</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={<TriangleAlert size={20} />}
      title={messages.issues.none}
      text="Nothing has been reported here."
      action={onReport && <Button onClick={onReport}>Report First Issue</Button>}
    />
  );
}
