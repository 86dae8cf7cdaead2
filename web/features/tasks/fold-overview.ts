import { matchesTaskFilter, narrowsTasks } from '#shared/features/tasks/task-filter.ts';
import { summariseTasks, type TaskSummary } from '#shared/features/tasks/task-schedule.ts';
import type { BuildingTasks, Task, TaskFilter, TaskOverview } from '#shared/features/tasks/tasks.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import type { LiveChange } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';

/**
 * Applies a change to the overview. The overview contains no tasks, so the task's state before the change is restored from
 * the event.
 */
export function foldOverview(
  overview: TaskOverview,
  event: LiveChange<'task' | 'place'>,
  filter: TaskFilter,
): TaskOverview | 'refetch' {
  if (event.entity === 'place') {
    const buildings = renameBuilding(overview.buildings, event);
    // Only people who see all buildings receive an event for the new building itself.
    if (!narrowsTasks(filter) && comes(overview, event)) return 'refetch';
    if (buildings === overview.buildings) return overview;
    // Archiving a building lowers the figures. For a restored building, access and bulk events update them.
    return buildings.length < overview.buildings.length ? 'refetch' : { ...overview, buildings };
  }
  if (event.op === 'del') return 'refetch';
  const { row, changes } = event;
  // Versions of overlays end in .5, so an overlay's creation has a version below 1.
  const before = event.version <= 1 ? null : taskBefore(row, changes);
  const was = weigh(before, overview.today, filter);
  const is = weigh(row, overview.today, filter);
  const known = overview.buildings.find(({ buildingId }) => buildingId === row.buildingId);
  if (CARDS.every((card) => was[card] === is[card])) {
    // A task that is not due changes no card, but its building is no longer without tasks.
    return known !== undefined && isEmpty(known) && Number.isInteger(event.version) ? 'refetch' : overview;
  }
  const moved = (figures: TaskSummary) =>
    Object.fromEntries(CARDS.map((card) => [card, figures[card] + is[card] - was[card]]));
  const { buildingId, buildingName } = row;
  const building: BuildingTasks = known ?? { buildingId, buildingName, ...NONE, withoutTasks: false };
  const others = overview.buildings.filter((other) => other !== known);
  const now = { ...building, ...moved(building), withoutTasks: false };
  // Only the server knows whether there are still tasks that are not due.
  if (isEmpty(now) && !narrowsTasks(filter)) return 'refetch';
  const buildings = isEmpty(now) ? others : [...others, now].sort(worstFirst);
  return { ...overview, summary: { ...overview.summary, ...moved(overview.summary) }, buildings };
}

const CARDS = [
  'compliant',
  'nonCompliant',
  'overdue',
  'dueThisWeek',
] as const satisfies (keyof TaskSummary)[];
const NONE: TaskSummary = { compliant: 0, nonCompliant: 0, overdue: 0, dueThisWeek: 0 };

function weigh(task: Task | null, today: string, filter: TaskFilter): TaskSummary {
  const counts = task?.retiredAt === null && task.isDue && matchesTaskFilter(filter, task, today);
  return counts ? summariseTasks([task], today) : NONE;
}

function taskBefore(row: Task, changes: Record<string, [from: unknown, to: unknown]> | null): Task {
  const before = Object.fromEntries(Object.entries(changes ?? {}).map(([field, [from]]) => [field, from]));
  // The cast: the server writes the earlier value of the same field as `from`, which the compiler cannot know.
  return { ...row, ...(before as Partial<Task>) };
}

function isEmpty({ compliant, nonCompliant }: TaskSummary): boolean {
  return compliant + nonCompliant === 0;
}

/** Returns whether a building without a row was added or restored. */
function comes({ buildings }: TaskOverview, event: LiveChange<'place'>): boolean {
  if (event.op === 'del' || event.row.archivedAt !== null) return false;
  return !buildings.some(({ buildingId }) => buildingId === event.entityId);
}

/** The server's order: most overdue, then most non-compliant, then buildings without a compliant task, then by name. */
function worstFirst(a: BuildingTasks, b: BuildingTasks): number {
  if (a.overdue !== b.overdue) return b.overdue - a.overdue;
  if (a.nonCompliant !== b.nonCompliant) return b.nonCompliant - a.nonCompliant;
  if (a.compliant > 0 !== b.compliant > 0) return a.compliant > 0 ? 1 : -1;
  return compareByName(named(a), named(b));
}

function named({ buildingId, buildingName }: BuildingTasks): { id: string; name: string } {
  return { id: buildingId, name: buildingName };
}
