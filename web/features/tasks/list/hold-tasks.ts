import type { Task } from '#shared/features/tasks/tasks.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { countMoves } from '../../../lib/count-moves.ts';
import type { TaskGroup } from './arrange-tasks.ts';

type Held = {
  groups: TaskGroup[];
  /** How many rows would enter, leave or move by what others did. */
  changes: number;
};

/**
 * Returns the groups in their held order, with the newest content of each task. A task that has left the list was retired
 * or, in the list of retired tasks, restored.
 * @param held the groups at the moment from which they are held
 * @param live the present groups, of the tasks that match the filter
 * @param tasks all present tasks of the list, by id
 * @param own the tasks that the person changed meanwhile: of their own changes they need not be told
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

/** The group of each task but those left out, in the order of the rows. */
function groupsOf(groups: readonly TaskGroup[], leftOut: ReadonlySet<string>): Map<string, string> {
  return new Map(
    groups.flatMap(({ group, tasks }) =>
      tasks.filter(({ id }) => !leftOut.has(id)).map(({ id }) => [id, nameKey(group)] as const),
    ),
  );
}
