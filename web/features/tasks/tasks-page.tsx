import { SearchX } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatDay } from '#shared/dates.ts';
import { matchesTaskFilter } from '#shared/features/tasks/task-filter.ts';
import { summariseTasks } from '#shared/features/tasks/task-schedule.ts';
import type { TaskList, TaskOverview } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useStable } from '../../lib/use-stable.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyAge } from '../../ui/feedback/copy-age.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { useKeptFocus } from '../../ui/lists/use-kept-focus.ts';
import { useSearchShortcut } from '../../ui/lists/use-search-shortcut.ts';
import { Page } from '../../ui/page.tsx';
import { useUrlState } from '../../ui/use-url-state.ts';
import { BuildingPicker } from '../locations/pickers/building-picker.tsx';
import { NoBuildings } from '../locations/pickers/no-buildings.tsx';
import { useMyBuildings } from '../locations/pickers/use-my-buildings.ts';
import { useScope } from '../locations/pickers/use-scope.ts';
import { onUndoAsked, type UndoDialog } from './completion/undo-offer.ts';
import { useTaskList } from './kept-lists.ts';
import { type KeptOverview, useTaskOverview } from './kept-overview.ts';
import { AllSites } from './list/all-sites.tsx';
import { PageActions } from './list/page-actions.tsx';
import { NoTasks, SiteTasks } from './list/site-tasks.tsx';
import { SummaryCards } from './list/summary-cards.tsx';
import { TaskFilters } from './list/task-filters.tsx';
import { WaitingNewTasks } from './list/waiting-new.tsx';
import type { TaskDialog } from './task-actions.ts';
import { TaskDialogs } from './task-dialogs.tsx';
import { taskList, taskOverview } from './tasks.live.ts';
import { hasFilters, NO_FILTERS, type TasksState, tasksUrl, toTaskFilter } from './tasks-url.ts';
import { useTaskCommands } from './use-task-commands.ts';
import './list/print.css';

const TaskPanel = lazy(() => import('./record/task-panel.tsx'));

/** Compliance Details: the summary cards, and either the tasks of one building or a row for each building. */
export default function TasksPage() {
  const { state, change, close } = useUrlState(tasksUrl);
  const closeTask = useCallback(() => close({ task: null }), [close]);
  const places = useMyBuildings();
  const restore = useCallback((building: string) => change({ building }, { replace: true }), [change]);
  const { buildingId, chosen, everywhere, isRestoring, none, picked } = useScope({
    page: 'tasks',
    building: state.building,
    places: places.value,
    onRemembered: restore,
    elseAll: true,
  });
  const everywhereChosen = chosen && buildingId === undefined;
  const filter = useStable(toTaskFilter(state));
  const narrowed = hasFilters(state);
  const search = useRef<HTMLInputElement>(null);
  useSearchShortcut(search);
  const rows = useKeptFocus('data-task');
  const { commands, ...questions } = useTaskCommands();
  const [dialog, setDialog] = useState<TaskDialog>();
  // A toast's Undo waits until the open dialog is closed, so that nothing typed is lost.
  const [undo, setUndo] = useState<UndoDialog>();
  const [openedWith] = useState(state.task);
  useEffect(() => onUndoAsked(setUndo, openedWith), [openedWith]);
  const shownDialog = dialog ?? undo;
  const closeDialog = () => (dialog === undefined ? setUndo(undefined) : setDialog(undefined));
  const asks = shownDialog !== undefined || questions.contested !== undefined || questions.question !== null;
  const actions = useMemo(() => ({ ...commands, open: setDialog }), [commands]);

  const kept = useTaskList(
    { buildingId: buildingId ?? '', retired: false },
    { enabled: buildingId !== undefined },
  );
  const list = { ...kept, data: buildingId === undefined ? undefined : kept.value };
  const retired = useLiveQuery(
    taskList,
    { buildingId: buildingId ?? '', retired: true },
    {
      enabled: buildingId !== undefined && state.retired,
    },
  );
  const keptOverview = useTaskOverview(places.value, { enabled: everywhereChosen });
  const overview = everywhereChosen ? keptOverview.value?.overview : undefined;
  // Only the server knows which tasks match a filter. Without a filter the overview above already contains the rows.
  const matching = useLiveQuery(taskOverview, filter, { enabled: everywhereChosen && narrowed });
  const sites = narrowed ? matching : { ...keptOverview, data: overview };

  const today = list.data?.today ?? overview?.today;
  const shownList = state.retired ? retired : list;
  const answer = everywhereChosen ? sites : shownList;
  const summary = everywhereChosen ? overview?.summary : list.data && summaryOf(list.data);
  const count = everywhereChosen
    ? sites.data && taskMessages.sites(sites.data.buildings.length)
    : shownList.data && countText(shownList.data, filter, narrowed);
  const nameOfScope =
    buildingId === undefined ? everywhere?.label : places.value?.find(({ id }) => id === buildingId)?.name;
  const onClear = narrowed ? () => change(NO_FILTERS) : undefined;
  const hrefOf = useHrefOf(state);
  const hrefOfSite = useHrefOfSite(state);
  const unknown = state.building !== null && !chosen && places.value !== undefined && !isRestoring;

  return (
    <Page
      back={null}
      subtitle={
        // Hidden on a phone, so that the first task is visible without scrolling.
        <span className="max-sm:hidden">What is due, who does it and the evidence that it was done.</span>
      }
      actions={
        !none && (
          <>
            <div className="min-w-0 max-sm:min-w-32 max-sm:flex-1 max-sm:basis-0">
              <BuildingPicker
                align="end"
                label="Location"
                value={picked}
                onChange={(building) => change({ building })}
                first={everywhere}
                buildings={places.value}
              />
            </div>
            <PageActions buildingId={buildingId} filter={filter} retired={state.retired} />
          </>
        )
      }
    >
      {none ? (
        <NoBuildings />
      ) : places.status === 'error' && !chosen ? (
        <ErrorState
          title={messageFor(places.error, messages.locations.loadFailed)}
          error={places.error}
          onRetry={places.refetch}
        />
      ) : (
        <div ref={rows} data-tasks="">
          {today !== undefined && (
            <p className="mb-3 hidden font-medium text-ink print:block">
              {[nameOfScope, formatDay(today), count].filter(Boolean).join(' · ')}
            </p>
          )}
          <SummaryCards
            summary={summary}
            state={state}
            onFilter={(patch) => change({ ...patch, retired: false })}
          />
          <div className="mt-4 mb-3.5 print:hidden">
            <TaskFilters
              state={state}
              onChange={change}
              buildingId={buildingId}
              searchRef={search}
              count={count}
            />
          </div>
          <CopyAge
            keptAt={everywhereChosen ? keptOverview.keptAt : state.retired ? undefined : kept.keptAt}
            note={everywhereChosen && !narrowed ? keptNote(keptOverview.value) : undefined}
          />
          {buildingId !== undefined && !state.retired && <WaitingNewTasks buildingId={buildingId} />}
          {answer.status === 'error' || unknown ? (
            <ErrorState
              title={taskMessages.fetchFailed}
              text={taskMessages.fetchFailedText}
              error={answer.error}
              onRetry={unknown ? undefined : answer.refetch}
            />
          ) : everywhereChosen &&
            narrowed &&
            sites.data === undefined &&
            keptOverview.keptAt !== undefined ? (
            <EmptyState
              icon={<SearchX size={20} />}
              title={taskMessages.filterNeedsServer}
              action={<Button onClick={onClear}>Clear Filters</Button>}
            />
          ) : answer.data === undefined ? (
            <Loading />
          ) : everywhereChosen ? (
            <Sites
              overview={sites.data}
              hrefOf={hrefOfSite}
              subject={JSON.stringify(filter)}
              onClear={onClear}
            />
          ) : (
            shownList.data &&
            buildingId !== undefined && (
              <SiteTasks
                key={`${buildingId}${state.retired}`}
                buildingId={buildingId}
                list={shownList.data}
                filter={filter}
                grouping={state.grouping}
                retired={state.retired}
                hrefOf={hrefOf}
                actions={actions}
                onClear={onClear}
              />
            )
          )}
        </div>
      )}
      <Suspense fallback={null}>
        {/* A dialog about the task replaces the panel: two dialogs at once would close each other. */}
        {state.task !== null && today !== undefined && !asks && (
          <TaskPanel id={state.task} today={today} actions={actions} onClose={closeTask} />
        )}
      </Suspense>
      <TaskDialogs dialog={shownDialog} today={today ?? ''} onClose={closeDialog} {...questions} />
    </Page>
  );
}

type SitesProps = {
  overview: TaskOverview | undefined;
  hrefOf: (buildingId: string) => string;
  subject: string;
  onClear: (() => void) | undefined;
};

function Sites({ overview, hrefOf, subject, onClear }: SitesProps) {
  if (overview === undefined) return <Loading />;
  if (overview.buildings.length === 0) return <NoTasks retired={false} onClear={onClear} />;
  return <AllSites buildings={overview.buildings} hrefOf={hrefOf} subject={subject} />;
}

function Loading() {
  return (
    <div className="grid gap-2" aria-busy>
      <p className="text-ink-2">{taskMessages.loading}</p>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="h-28 xl:h-13" />
      ))}
    </div>
  );
}

/** Returns the figures of one building, without tasks that are not due. */
function summaryOf({ tasks, today }: TaskList) {
  return summariseTasks(
    tasks.filter(({ isDue }) => isDue),
    today,
  );
}

/** Returns a note that a copy contains rows of the worst buildings only; undefined if it is complete. */
function keptNote(kept: KeptOverview | undefined): string | undefined {
  if (kept === undefined || kept.overview.buildings.length === kept.sites) return undefined;
  return taskMessages.keptSites(kept.overview.buildings.length, kept.sites);
}

function countText(
  { tasks, today }: TaskList,
  filter: ReturnType<typeof toTaskFilter>,
  narrowed: boolean,
): string {
  if (!narrowed) return taskMessages.count(tasks.length);
  return taskMessages.showing(
    tasks.filter((task) => matchesTaskFilter(filter, task, today)).length,
    tasks.length,
  );
}

/** Returns a function for the URL of a task's record on this page. */
function useHrefOf(state: TasksState): (id: string) => string {
  const base = tasksUrl.write({ ...state, task: null }).toString();
  return useCallback((id: string) => `?${base}${base === '' ? '' : '&'}task=${id}`, [base]);
}

/** Returns a function for the URL of a building's tasks, with the same filters. */
function useHrefOfSite(state: TasksState): (building: string) => string {
  const base = tasksUrl.write({ ...state, building: null, task: null }).toString();
  return useCallback((id: string) => `?building=${id}${base === '' ? '' : `&${base}`}`, [base]);
}
