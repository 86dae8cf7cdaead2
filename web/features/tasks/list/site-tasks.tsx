import { ClipboardList, SearchX } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import type { Task, TaskFilter, TaskList } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { fullName } from '#shared/text/names.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { onFirstInteraction } from '../../../lib/first-interaction.ts';
import { useLoadOffline } from '../../../offline/offline-context.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { useDoubleClickGuard } from '../../../ui/buttons/second-tap.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { useFrozenOrder } from '../../../ui/lists/use-frozen-order.ts';
import { useMedia } from '../../../ui/use-media.ts';
import { useMe } from '../../session/session-context.ts';
import type { TaskActions, TaskRowProps } from '../task-actions.ts';
import { libraryPath } from '../task-paths.ts';
import type { TaskGrouping } from '../tasks-url.ts';
import { arrangeTasks, isResponsible } from './arrange-tasks.ts';
import { HeldChanges } from './held-changes.tsx';
import { holdTasks } from './hold-tasks.ts';
import { TaskCards } from './task-cards.tsx';
import { TaskSelectionBar } from './task-selection-bar.tsx';
import { TaskTable } from './task-table.tsx';
import { useOthersChanges } from './use-others-changes.ts';
import { useOwnChanges } from './use-own-changes.ts';
import { useSelection } from './use-selection.ts';

type Props = {
  buildingId: string;
  list: TaskList;
  filter: TaskFilter;
  grouping: TaskGrouping;
  /** The list shows the retired tasks. */
  retired: boolean;
  hrefOf: (id: string) => string;
  actions: TaskActions;
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined;
};

/** The tasks of one building, in groups. */
export function SiteTasks({ buildingId, list, filter, grouping, retired, hrefOf, actions, onClear }: Props) {
  const { tasks, today } = list;
  const { can } = usePermissions();
  const me = useMe();
  const person = useMemo(() => ({ id: me.id, name: fullName(me) }), [me]);
  const wide = useMedia('(min-width: 80rem) and (pointer: fine), print');
  const canEdit = can('edit_tasks');
  const canRecord = can('create_operative_tasks');
  const loadOffline = useLoadOffline();
  useDoubleClickGuard();
  // Completing works without a connection, so its code is loaded before the connection is lost.
  useEffect(
    () => (canEdit ? onFirstInteraction(() => void loadOffline().catch(() => undefined)) : undefined),
    [canEdit, loadOffline],
  );
  const ownFirst = me.role === 'operative';
  const live = useMemo(
    () =>
      arrangeTasks(tasks, {
        filter,
        today,
        grouping,
        isOwn: ownFirst ? (task) => isResponsible(task, person) : undefined,
      }),
    [tasks, filter, today, grouping, ownFirst, person],
  );
  const byId = useMemo(() => new Map(tasks.map((task) => [task.id, task])), [tasks]);
  const { held, takeIn, listProps } = useFrozenOrder(live, JSON.stringify([filter, grouping]));
  const own = useOwnChanges(held !== undefined);
  const { groups, changes } = useMemo(
    () => (held === undefined ? { groups: live, changes: 0 } : holdTasks(held, live, byId, own)),
    [held, live, byId, own],
  );
  const shown = useMemo(() => new Set(groups.flatMap((group) => group.tasks.map(({ id }) => id))), [groups]);
  useOthersChanges(shown);
  const { selected, onSelect, onSelectAll, clear } = useSelection(
    useMemo(() => groups.flatMap((group) => group.tasks.filter(({ id }) => byId.has(id))), [groups, byId]),
  );
  const chosen = useMemo(() => new Set(selected.map(({ id }) => id)), [selected]);

  if (groups.length === 0) {
    const none = tasks.length === 0;
    return (
      <NoTasks
        retired={retired && none}
        libraryOf={none && !retired ? buildingId : undefined}
        onClear={onClear}
      />
    );
  }
  const rowOf = (task: Task): TaskRowProps => ({
    task,
    today,
    canEdit: canEdit && byId.has(task.id),
    canRecord: canRecord && byId.has(task.id),
    isOwn: isResponsible(task, person),
    selected: chosen.has(task.id),
    onSelect,
    hrefOf,
    actions,
  });
  const Group = wide ? TaskTable : TaskCards;
  return (
    <>
      <section aria-label="Tasks" {...listProps}>
        <HeldChanges count={changes} onTakeIn={takeIn} />
        {groups.map((group) => (
          <Group
            key={nameKey(group.group)}
            {...group}
            rowOf={rowOf}
            onSelectAll={canEdit && !retired ? onSelectAll : undefined}
          />
        ))}
      </section>
      {list.omitted > 0 && <p className="text-ink-2 text-sm">{taskMessages.retiredOmitted(list.omitted)}</p>}
      {selected.length > 0 && (
        <TaskSelectionBar buildingId={buildingId} selected={selected} today={today} onClear={clear} />
      )}
    </>
  );
}

type NoTasksProps = {
  retired: boolean;
  /** Id of the building, if it has no tasks at all. */
  libraryOf?: string | undefined;
  onClear: (() => void) | undefined;
};

/** Empty state, worded as in the specification, with links to add tasks or a button to clear the filters. */
export function NoTasks({ retired, libraryOf, onClear }: NoTasksProps) {
  const { can } = usePermissions();
  const mayAdd = can('create_locations') && !retired;
  const library = libraryOf !== undefined && can('create_tasks') ? libraryPath(libraryOf) : undefined;
  return (
    <EmptyState
      icon={onClear === undefined ? <ClipboardList size={20} /> : <SearchX size={20} />}
      title={retired ? taskMessages.noneRetired : taskMessages.none}
      action={
        (mayAdd || library !== undefined || onClear !== undefined) && (
          <div className="flex flex-wrap justify-center gap-2">
            {onClear !== undefined && <Button onClick={onClear}>Clear Filters</Button>}
            {library !== undefined && (
              <ButtonLink variant="primary" to={library}>
                {taskMessages.fromLibrary}
              </ButtonLink>
            )}
            {mayAdd && <ButtonLink to="/add-location">{taskMessages.addLocation}</ButtonLink>}
          </div>
        )
      }
    />
  );
}
