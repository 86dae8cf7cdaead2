import type { Task } from '#shared/features/tasks/tasks.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { countMoves } from '../../../lib/count-moves.ts';
import type { TaskGroup } from './arrange-tasks.ts';

type Held = {
  groups: TaskGroup[];
  /** Number of rows that would enter, leave or move because of other people's changes. */
  changes: number;
};

/**
 * Returns the groups in their held order, with the newest content of each task. A task that has left the list was retired
 * or, in the list of retired tasks, restored.
 * @param held the groups at the time when the holding began
 * @param live the present groups, of the tasks that match the filter
 * @param tasks all present tasks of the list, by id
 * @param own the tasks that the person changed in the meantime; a person's own changes are not counted
 */
export function holdTasks(
  held: readonly TaskGroup[],
  live: readonly TaskGroup[],
  tasks: ReadonlyMap<string, Task>,
  own: ReadonlySet<string> = new Set(),
): Held {
  const groups = held.map(({ group, tasks: rows }) => ({
    group,
    tasks: rows.map((row) => tasks.get(row.id) ?? withoutPlace(row)),
  }));
  const [before, after] = [groupsOf(held, own), groupsOf(live, own)];
  const regrouped = new Set(
    [...after.keys()].filter((id) => (before.get(id) ?? after.get(id)) !== after.get(id)),
  );
  const inPlace = (places: Iterable<string>) => [...places].filter((id) => !regrouped.has(id));
  const changes = countMoves(inPlace(before.keys()), inPlace(after.keys())) + regrouped.size;
  return { groups, changes };
}

function withoutPlace(task: Task): Task {
  return { ...task, retiredAt: task.retiredAt === null ? task.updatedAt : null };
}

/** Returns the group of each task except `leftOut`, in the order of the rows. */
function groupsOf(groups: readonly TaskGroup[], leftOut: ReadonlySet<string>): Map<string, string> {
  return new Map(
    groups.flatMap(({ group, tasks }) =>
      tasks.filter(({ id }) => !leftOut.has(id)).map(({ id }) => [id, nameKey(group)] as const),
    ),
  );
}
