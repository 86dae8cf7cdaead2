import { addDays } from '#shared/dates.ts';
import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import {
  completeTask,
  FREQUENCIES,
  markTask,
  newTaskDates,
  recurrenceOf,
  scheduleTask,
} from '#shared/features/tasks/task-schedule.ts';
import { OFFERED_TEMPLATES } from '#shared/features/tasks/task-templates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Random } from '#tests/support/random.ts';
import type { Building } from '#tests/support/rows/population.ts';
import type { Scene, Write } from './actions.ts';
import type { ChaosWindow } from './window.ts';

/** Actions of people on tasks, with their weights. */
export const TASK_WEIGHTS = {
  taskCreate: 8,
  taskComplete: 9,
  taskSchedule: 7,
  taskMark: 5,
  taskUndo: 4,
  taskRetire: 4,
  taskRestore: 3,
  taskTemplates: 3,
  watchTasks: 8,
} as const;
export type TaskAction = keyof typeof TASK_WEIGHTS;

type Turn = { window: ChaosWindow; scene: Scene; building: Building; dice: Random; write: Write };

/** Performs one of these actions. The effect shows at once, computed by the same code as on the server. */
export async function actOnTask(what: TaskAction, turn: Turn): Promise<void> {
  const { window, scene, building, dice, write } = turn;
  const { tasks } = window.api;
  switch (what) {
    case 'watchTasks':
      window.watchTasks(building.id, dice.chance(0.3));
      return;
    case 'taskCreate':
      return await create(turn);
    case 'taskTemplates': {
      const templateIds = [dice.pick(OFFERED_TEMPLATES).id, dice.pick(OFFERED_TEMPLATES).id];
      return await write(
        window,
        scene,
        { kind: 'apply', id: building.id },
        { buildingId: building.id, templateIds },
        (input, options) => tasks.applyTemplates.mutate(input, options),
      );
    }
    case 'taskComplete': {
      const seen = window.someTask(dice.pick, false);
      if (seen === undefined || seen.task.check !== null) return;
      const { task, today } = seen;
      const day = addDays(today, -dice.below(3));
      const dates = completeTask(task, recurrenceFrom(task), { on: day });
      const { anchor, gridDay, due, coveredUntil, completedOn, markedOn } = dates;
      const patch = { anchor, gridDay, due, coveredUntil, completedOn, markedOn };
      return await change(turn, task, { occurrence: task.occurrence, day }, patch, (input, options) =>
        tasks.complete.mutate(input, options),
      );
    }
    case 'taskSchedule': {
      const seen = window.someTask(dice.pick, false);
      if (seen === undefined || seen.task.check !== null) return;
      const due = addDays(seen.today, dice.below(40));
      const patch = { due: scheduleTask(seen.task, due).due };
      const input = { due: { from: seen.task.due, to: due } };
      return await change(turn, seen.task, input, patch, (whole, options) =>
        tasks.schedule.mutate(whole, options),
      );
    }
    case 'taskMark': {
      const seen = window.someTask(dice.pick, false);
      if (seen === undefined || seen.task.check !== null) return;
      const reason = 'A fault';
      const { markedOn } = markTask(seen.task, seen.today);
      return await change(turn, seen.task, { reason }, { markedOn, markReason: reason }, (input, options) =>
        tasks.mark.mutate(input, options),
      );
    }
    case 'taskUndo': {
      const task = window.someTask(dice.pick, false)?.task;
      const lineId = task?.markId ?? task?.completionId;
      if (task === undefined || lineId == null) return;
      return await change(turn, task, { lineId, reason: 'By mistake' }, undefined, (input, options) =>
        tasks.undo.mutate(input, options),
      );
    }
    case 'taskRetire': {
      const task = window.someTask(dice.pick, false)?.task;
      if (task === undefined) return;
      const patch = { retiredAt: new Date().toISOString(), retireReason: 'Sold' };
      return await change(turn, task, { reason: 'Sold' }, patch, (input, options) =>
        tasks.retire.mutate(input, options),
      );
    }
    case 'taskRestore': {
      const task = window.someTask(dice.pick, true)?.task;
      if (task === undefined) return;
      return await change(turn, task, {}, { retiredAt: null, retireReason: null }, (input, options) =>
        tasks.restore.mutate(input, options),
      );
    }
  }
}

async function create({ window, scene, building, dice, write }: Turn): Promise<void> {
  const id = uuidv7();
  const frequency = dice.pick(FREQUENCIES);
  const today = window.day;
  if (today === undefined) return;
  const lastDone = dice.chance(0.5) ? addDays(today, -dice.below(60)) : null;
  const input = {
    ...{ id, buildingId: building.id, frequency, lastDone },
    complianceSystem: dice.pick(['Fire Alarm', 'Fire Doors', 'Gas']),
    taskDescription: `Part ${id.slice(-6)}`,
    responsiblePerson: '',
  };
  const now = new Date().toISOString();
  const dates = newTaskDates(recurrenceOf(frequency), { createdOn: today, lastDone });
  const { lastDone: _, ...fields } = input;
  const patch: Task = {
    ...{ ...fields, ...dates, taskNumber: `${building.code}-T…`, buildingName: building.name },
    ...{ early: null, grace: 'P0D', responsibleId: null, check: null, templateId: null, isDue: true },
    ...{ completedByName: null, markReason: null, completionId: null, markId: null, coverage: null },
    ...{ occurrence: 1, createdAt: now, updatedAt: now, retiredAt: null, retireReason: null, version: 0 },
  };
  await write(
    window,
    scene,
    { kind: 'createTask', id },
    input,
    (whole, options) => window.api.tasks.create.mutate(whole, options),
    { entity: 'task', id, base: undefined, patch },
  );
}

type Send<Input> = (
  input: Input & { id: string; operationId: string },
  options: { signal: AbortSignal },
) => Promise<{ version: number }>;

async function change<Input extends object>(
  { window, scene, write }: Turn,
  task: Task,
  input: Input,
  patch: Partial<Task> | undefined,
  send: Send<Input>,
): Promise<void> {
  // The server has not confirmed the task yet.
  if (task.version < 1) return;
  const whole = { ...input, id: task.id };
  const overlay = patch && { entity: 'task' as const, id: task.id, base: task, patch };
  await write(window, scene, { kind: 'task', id: task.id }, whole, send, overlay);
}
