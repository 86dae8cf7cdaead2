import { and, asc, isNull } from 'drizzle-orm';
import { isAnyOf } from '#db/is-any-of.ts';
import { tasks } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import { isScheduleDay } from '#shared/features/tasks/task-schedule.ts';
import type {
  ReassignTasksInput,
  RescheduleTasksInput,
  RetireTasksInput,
  Task,
} from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { isPersonAt } from '../../access/people.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { todayOf } from '../../kernel/settings.ts';
import { assertNotByCheck, invalid } from './locked-task.ts';
import { appendLine, type NewLine } from './task-lines.ts';
import { selectTasks, type TaskColumns, writeTask } from './task-row.ts';

/** Answer of a command about a selection: how many tasks have changed. */
export type SelectionAnswer = { id: string; version: number; changed: number };

/** Makes the same person responsible for every selected task. */
export function reassignTasks(ctx: SignedInContext, input: ReassignTasksInput): Promise<SelectionAnswer> {
  return runCommand(ctx, 'tasks.reassign', input, async (command) => {
    const { responsiblePerson, responsibleId } = input;
    const selected = await lockSelection(command, input.ids);
    for (const buildingId of new Set(selected.map((task) => task.buildingId))) {
      if (responsibleId === null) break;
      if (!(await isPersonAt(command.tx, buildingId, responsibleId, 'view_tasks'))) {
        throw invalid({ responsibleId: taskMessages.responsibleUnknown });
      }
    }
    const day = await todayOf(command);
    const others = selected.filter(
      (task) => task.responsiblePerson !== responsiblePerson || task.responsibleId !== responsibleId,
    );
    return changeEach(command, others, () => ({
      line: { kind: 'reassigned', day, notes: responsiblePerson },
      set: { responsiblePerson, responsibleId },
    }));
  });
}

/**
 * Moves the present occurrence of every selected task to the same day.
 * @throws AppError `conflict` if one was completed or moved to another day since it was seen
 */
export function rescheduleTasks(ctx: SignedInContext, input: RescheduleTasksInput): Promise<SelectionAnswer> {
  return runCommand(ctx, 'tasks.reschedule', input, async (command) => {
    const { due } = input;
    const seen = new Map(input.tasks.map(({ id, occurrence }) => [id, occurrence]));
    const selected = await lockSelection(command, [...seen.keys()]);
    for (const task of selected) assertNotByCheck(task);
    const day = await todayOf(command);
    if (!isScheduleDay(due, day)) throw invalid({ due: taskMessages.scheduleOutOfRange });
    const others = selected.filter((task) => task.due !== due);
    const moved = others.filter(({ id, occurrence }) => occurrence !== seen.get(id));
    if (moved.length > 0) {
      const numbers = moved.map(({ taskNumber }) => taskNumber);
      throw new AppError('conflict', { message: taskMessages.selectionMoved(numbers) });
    }
    return changeEach(command, others, ({ gridDay, occurrence }) => ({
      line: { kind: 'scheduled', day, gridDay, due },
      set: { due, occurrence: occurrence + 1 },
    }));
  });
}

/** Takes every selected task out of use, with one reason. */
export function retireTasks(ctx: SignedInContext, input: RetireTasksInput): Promise<SelectionAnswer> {
  return runCommand(ctx, 'tasks.retireAll', input, async (command) => {
    const { reason } = input;
    const selected = await lockSelection(command, input.ids);
    const day = await todayOf(command);
    return changeEach(command, selected, () => ({
      line: { kind: 'retired', day, reason },
      set: { retiredAt: command.now, retireReason: reason },
    }));
  });
}

/**
 * Locks the selected tasks, in the order of their ids, so that two selections cannot deadlock.
 * @throws AppError `not_found` if any does not exist, is retired, or is in a building that the person may not see
 */
async function lockSelection({ tx, actor }: Command, ids: readonly string[]): Promise<Task[]> {
  const locked = await selectTasks(tx)
    .where(and(isAnyOf(tasks.id, ids), visibleTo(actor, tasks.buildingId), isNull(tasks.retiredAt)))
    .orderBy(asc(tasks.id))
    .for('update', { of: tasks });
  if (locked.length < ids.length) throw new AppError('not_found', { message: taskMessages.selectionChanged });
  return locked;
}

/** Changes each task with its line, and records one event for each building. */
async function changeEach(
  command: Command,
  selected: readonly Task[],
  changeOf: (task: Task) => { line: NewLine; set: TaskColumns },
): Promise<SelectionAnswer> {
  for (const task of selected) {
    const { line, set } = changeOf(task);
    await appendLine(command, task, line);
    await writeTask(command.tx, task, set, command.now);
  }
  const buildingIds = [...new Set(selected.map(({ buildingId }) => buildingId))];
  const [first] = selected;
  if (first !== undefined && buildingIds.length > SEPARATE_EVENTS_MAX) {
    await command.recordBulkIn({ entity: 'task', row: first }, buildingIds);
  } else {
    for (const buildingId of buildingIds) await command.recordBulk({ entity: 'task', buildingId });
  }
  return { id: command.actor.userId, version: selected.length, changed: selected.length };
}
