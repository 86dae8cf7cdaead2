import { z } from 'zod';
import { buildingIdSchema } from '#shared/features/locations/locations.ts';
import {
  applyTemplatesInput,
  completeTaskInput,
  correctTaskInput,
  coverDutyInput,
  createTaskInput,
  listTasksInput,
  previewTemplatesInput,
  reasonedTaskInput,
  reassignTasksInput,
  rescheduleTasksInput,
  restoreTaskInput,
  retireTasksInput,
  scheduleTaskInput,
  taskIdInput,
  taskOverviewInput,
  undoTaskInput,
  updateTaskInput,
} from '#shared/features/tasks/tasks.ts';
import { historyInput } from '#shared/history.ts';
import { readEntityHistory } from '../../kernel/entity-history.ts';
import { requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { reassignTasks, rescheduleTasks, retireTasks } from './selection.commands.ts';
import {
  correctCompletion,
  markComplete,
  markNonCompliant,
  scheduleOccurrence,
  undoLine,
} from './task-dates.commands.ts';
import { createTask, restoreTask, retireTask, updateTask } from './tasks.commands.ts';
import {
  getTask,
  listResponsible,
  listTasks,
  nextTaskNumber,
  readOverview,
  readTaskRecord,
} from './tasks.queries.ts';
import { applyTemplates, coverDuty } from './templates.commands.ts';
import { previewTemplates, readTemplateOffer } from './templates.queries.ts';

const view = requires('view_tasks');
const create = requires('create_tasks', { provenByCommand: true });
const edit = requires('edit_tasks', { provenByCommand: true });
const buildingInput = z.strictObject({ buildingId: buildingIdSchema });

export const tasksRouter = router({
  list: view.input(listTasksInput).query(({ ctx, input }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => listTasks(tx, ctx.actor, input, now));
  }),
  overview: view.input(taskOverviewInput).query(({ ctx, input }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => readOverview(tx, ctx.actor, input, now));
  }),
  get: view
    .input(taskIdInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => getTask(tx, ctx.actor, input.id))),
  record: view
    .input(taskIdInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => readTaskRecord(tx, ctx.actor, input.id))),
  history: view
    .input(historyInput)
    .query(({ ctx, input }) =>
      readEntityHistory(ctx, 'task', input, (tx) => getTask(tx, ctx.actor, input.id)),
    ),
  responsible: view
    .input(buildingInput.partial())
    .query(({ ctx, input }) => listResponsible(ctx.services.db, ctx.actor, input.buildingId)),
  nextNumber: create
    .input(buildingInput)
    .query(({ ctx, input }) => nextTaskNumber(ctx.services.db, ctx.actor, input.buildingId)),
  templates: create
    .input(buildingInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => readTemplateOffer(tx, ctx.actor, input.buildingId))),
  templatePreview: create.input(previewTemplatesInput).query(({ ctx, input }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => previewTemplates(tx, ctx.actor, input, now));
  }),
  create: create.input(createTaskInput).mutation(({ ctx, input }) => createTask(ctx, input)),
  applyTemplates: create.input(applyTemplatesInput).mutation(({ ctx, input }) => applyTemplates(ctx, input)),
  coverDuty: edit.input(coverDutyInput).mutation(({ ctx, input }) => coverDuty(ctx, input)),
  update: edit.input(updateTaskInput).mutation(({ ctx, input }) => updateTask(ctx, input)),
  complete: edit.input(completeTaskInput).mutation(({ ctx, input }) => markComplete(ctx, input)),
  correct: edit.input(correctTaskInput).mutation(({ ctx, input }) => correctCompletion(ctx, input)),
  schedule: edit.input(scheduleTaskInput).mutation(({ ctx, input }) => scheduleOccurrence(ctx, input)),
  mark: edit.input(reasonedTaskInput).mutation(({ ctx, input }) => markNonCompliant(ctx, input)),
  undo: edit.input(undoTaskInput).mutation(({ ctx, input }) => undoLine(ctx, input)),
  retire: edit.input(reasonedTaskInput).mutation(({ ctx, input }) => retireTask(ctx, input)),
  restore: edit.input(restoreTaskInput).mutation(({ ctx, input }) => restoreTask(ctx, input)),
  reassign: edit.input(reassignTasksInput).mutation(({ ctx, input }) => reassignTasks(ctx, input)),
  reschedule: edit.input(rescheduleTasksInput).mutation(({ ctx, input }) => rescheduleTasks(ctx, input)),
  retireAll: edit.input(retireTasksInput).mutation(({ ctx, input }) => retireTasks(ctx, input)),
});
