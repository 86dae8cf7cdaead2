import { useMemo, useSyncExternalStore } from 'react';
import type { ListTasksInput, Task, TaskList } from '#shared/features/tasks/tasks.ts';
import { fullName } from '#shared/text/names.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../lib/server-or-copy.ts';
import { presentDay } from '../../lib/time/present-time.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import type { Copies } from '../../offline/copies.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { useSendQueue } from '../../offline/queue/use-send-queue.ts';
import { type KeptKind, useKeepLatest } from '../../offline/use-keep-latest.ts';
import { useOfflineCopy } from '../../offline/use-offline-copy.ts';
import { useMe } from '../session/session-context.ts';
import { taskList } from './tasks.live.ts';
import { withWaiting } from './waiting-changes.ts';

/**
 * The copies of buildings' tasks. Only the last opened buildings have one, because a list may have 500 tasks. A copy is
 * deleted when access to its building is lost.
 */
const KEPT: KeptKind = {
  index: 'tasks.sites',
  max: 20,
  nameOf: (buildingId) => `tasks.list:${buildingId}`,
};

/**
 * Returns a building's tasks from the server, or this device's copy until the server answers. There is no copy of retired
 * tasks.
 */
export function useTaskList(
  input: ListTasksInput,
  options: { enabled?: boolean } = {},
): ServerOrCopy<TaskList> {
  const live = useLiveQuery(taskList, input, options);
  const kept = useOfflineCopy<TaskList>(KEPT.nameOf(input.buildingId));
  const { items } = useSendQueue();
  const me = useMe();
  const { data } = live;
  useKeepLatest(KEPT, input.buildingId, input.retired ? undefined : data);

  // Applies waiting commands to the copy; the live value already includes them, as overlays.
  const copy = useMemo(() => {
    if (input.retired || kept.value === undefined) return undefined;
    const tasks = kept.value.tasks.map((task) => withWaiting(task, items, fullName(me)));
    // The tasks are judged by today's date, not by the date of the copy.
    return { ...kept.value, today: presentDay(), tasks };
  }, [input.retired, kept.value, items, me]);
  const state = kept.state === 'kept' && copy === undefined ? 'none' : kept.state;
  return useServerOrCopy(live, data, { state, value: copy, keptAt: kept.keptAt });
}

const NONE: readonly string[] = [];

/** A task in this device's copies; `reading` until they have been read. */
export type KeptTask = {
  state: 'reading' | 'none' | 'kept';
  value: Task | undefined;
  keptAt: string | undefined;
};

/** Finds a task in the copies of lists, with the person's own waiting commands applied. */
export function useKeptTask(id: string): KeptTask {
  const { copies } = useOffline();
  const { items } = useSendQueue();
  const me = useMe();
  const found = useSyncExternalStore(
    copies.subscribe,
    () => findTask(copies, id),
    () => findTask(copies, id),
  );
  return useMemo(() => {
    if (typeof found === 'string') return { state: found, value: undefined, keptAt: undefined };
    const { task, keptAt } = found;
    return { state: 'kept', value: withWaiting(task, items, fullName(me)), keptAt };
  }, [found, items, me]);
}

type Found = { task: Task; keptAt: string };
/** Cache: the same object for the same row of a copy. */
const foundIn = new WeakMap<Task, Found>();

function findTask(copies: Copies, id: string): Found | 'reading' | 'none' {
  const index = copies.get(KEPT.index);
  if (index === undefined) return 'reading';
  // The casts are safe: `useTaskList` wrote the values.
  const sites = (index?.value ?? NONE) as readonly string[];
  let reading = false;
  for (const site of sites) {
    const copy = copies.get(KEPT.nameOf(site));
    if (copy === undefined) reading = true;
    const task = (copy?.value as TaskList | undefined)?.tasks.find((each) => each.id === id);
    if (task === undefined || copy == null) continue;
    const found = foundIn.get(task) ?? { task, keptAt: copy.keptAt };
    foundIn.set(task, found);
    return found;
  }
  return reading ? 'reading' : 'none';
}
