import type {
  ListTasksInput,
  PreviewTemplatesInput,
  RecordedLine,
  Task,
  TaskList,
  TaskOverview,
  TaskOverviewInput,
  TemplateOffer,
  TemplatePreview,
} from '#shared/features/tasks/tasks.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { defineHistory } from '../../live/history.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery } from '../../live/types.ts';
import { renameBuilding } from '../locations/rename-building.ts';
import { foldOverview } from './fold-overview.ts';

/** A building's tasks, by due date. Fetched again at the organisation's midnight, because their status depends on `today`. */
export const taskList = defineLiveQuery<ListTasksInput, TaskList, 'task' | 'place'>({
  name: 'tasks.list',
  entities: ['task', 'place'],
  fetch: (input, { signal }) => api.tasks.list.query(input, { signal }),
  apply(list, event, { input }) {
    const tasks =
      event.entity === 'place'
        ? renameBuilding(list.tasks, event)
        : changeRows(list.tasks, event, (task) => belongs(task, input), byDue);
    return tasks === list.tasks ? list : { ...list, tasks };
  },
  changesAt: ({ changesAt }) => changesAt,
});

function belongs(task: Task, { buildingId, retired }: ListTasksInput): boolean {
  return task.buildingId === buildingId && (task.retiredAt !== null) === retired;
}

/** Compares by due date, then by number. Longer numbers are higher: they begin with a building's ten-thousandth task. */
function byDue(a: Task, b: Task): number {
  if (a.due !== b.due) return a.due < b.due ? -1 : 1;
  const [left, right] = [a.taskNumber, b.taskNumber];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The figures over all the person's buildings, and a row for each building with tasks that match the filter. */
export const taskOverview = defineLiveQuery<TaskOverviewInput, TaskOverview, 'task' | 'place'>({
  name: 'tasks.overview',
  entities: ['task', 'place'],
  fetch: (input, { signal }) => api.tasks.overview.query(input, { signal }),
  apply: (overview, event, { input }) => foldOverview(overview, event, input),
  changesAt: ({ changesAt }) => changesAt,
});

/** One task; null once the person has lost access to it. */
export const oneTask = defineLiveQuery<{ id: string }, Task | null, 'task' | 'place'>({
  name: 'tasks.get',
  entities: ['task', 'place'],
  fetch: (input, { signal }) => api.tasks.get.query(input, { signal }),
  apply(task, event, { input }) {
    if (event.entity === 'place') return task === null ? null : (renameBuilding([task], event)[0] ?? null);
    if (event.entityId !== input.id || (task !== null && task.version >= event.version)) return task;
    return event.op === 'del' ? null : event.row;
  },
  lose: (task, lost) => (task !== null && lost(task.buildingId) ? null : task),
});

/** The record of one task, oldest line first. */
export const taskRecord = defineLiveQuery<{ id: string }, RecordedLine[], 'task'>({
  name: 'tasks.record',
  entities: ['task'],
  fetch: (input, { signal }) => api.tasks.record.query(input, { signal }),
  apply: (lines, event, { input }) => (event.entityId === input.id ? 'refetch' : lines),
});

/** The history of one task. */
export const taskHistory = defineHistory('tasks.history', 'task', (input, options) =>
  api.tasks.history.query(input, options),
);

/** The templates that the library offers for a building, which depend on the building's tasks and assets. */
export const templateOffer = defineLiveQuery<{ buildingId: string }, TemplateOffer, 'task' | 'asset'>({
  name: 'tasks.templates',
  entities: ['task', 'asset'],
  fetch: (input, { signal }) => api.tasks.templates.query(input, { signal }),
  apply: (offer, event, { input }) =>
    event.op === 'put' && event.row.buildingId !== input.buildingId ? offer : 'refetch',
});

/** The tasks that applying templates to a building would add now. Other people may add the same tasks before. */
export const templatePreview = defineLiveQuery<
  PreviewTemplatesInput,
  TemplatePreview,
  'task' | 'asset' | 'checkVisit'
>({
  name: 'tasks.templatePreview',
  entities: ['task', 'asset', 'checkVisit'],
  fetch: (input, { signal }) => api.tasks.templatePreview.query(input, { signal }),
  apply: (preview, event, { input }) =>
    event.op === 'put' && event.row.buildingId !== input.buildingId ? preview : 'refetch',
  changesAt: ({ changesAt }) => changesAt,
});
