import { and, eq, sql } from 'drizzle-orm';
import { taskLines } from '#db/schema/tasks.ts';
import { formatDay } from '#shared/dates.ts';
import { certificateFault } from '#shared/features/tasks/certificate-fault.ts';
import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { readRecordInSteps, type TaskState } from '#shared/features/tasks/task-record.ts';
import { completeTask, isScheduleDay, type Recurrence } from '#shared/features/tasks/task-schedule.ts';
import type {
  CompleteTaskInput,
  CompletionReceipt,
  CorrectTaskInput,
  ReasonedTaskInput,
  ScheduleTaskInput,
  Task,
  UndoTaskInput,
} from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import { finishYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { todayOf } from '../../kernel/settings.ts';
import {
  assertAsSeen,
  assertInUse,
  assertNotByCheck,
  invalid,
  lockTask,
  saveTask,
  type TaskAnswer,
} from './locked-task.ts';
import { appendLine, readLines, recordOf } from './task-lines.ts';
import { datesOf, type TaskColumns } from './task-row.ts';
import { assertCompletionDay } from './tasks.commands.ts';

/**
 * Completes the occurrence that the person saw. Everybody who completes the same occurrence on the same day gets the same
 * answer (ruling T25).
 * @throws AppError `conflict` with the present values if the task was completed on another day, moved, undone or retired
 *   since
 */
export function markComplete(
  ctx: SignedInContext,
  input: CompleteTaskInput,
): Promise<TaskAnswer & CompletionReceipt> {
  return runCommand(ctx, 'tasks.complete', input, async (command) => {
    const { occurrence, day, notes, missedReason } = input;
    const before = await lockTask(command, input.id);
    const unchanged = { id: before.id, version: before.version };
    assertNotByCheck(before);
    const same = await findCompletion(command, before.id, occurrence, day);
    const isCorrected = same === before.completionId && before.completedOn !== day;
    if (same !== undefined && !isCorrected) return { ...unchanged, completionId: same };
    assertAsSeen(before, occurrence);
    const today = await todayOf(command);
    assertCompletionDay(day, today, 'day');
    if (before.completedOn !== null && day < before.completedOn) {
      throw invalid({ day: taskMessages.completedLater(formatDay(before.completedOn)) });
    }
    // A second completion on the same day is not stored, unless the task was marked in between.
    const { completionId } = before;
    if (day === before.completedOn && before.markedOn === null && completionId !== null) {
      return { ...unchanged, completionId };
    }
    const recurrence = recurrenceFrom(before);
    // A stated date that does not apply to this frequency is not stored: after a change of frequency it would apply without
    // having been checked.
    const stated = recurrence.basis === 'stated' ? input.stated : null;
    assertStated(recurrence, { day, stated, today });

    const dates = datesOf(before);
    const done = completeTask(dates, recurrence, { on: day, stated });
    const reason = missedReason === '' ? null : missedReason;
    const completed = { kind: 'completed', day, stated, notes, reason, occurrence } as const;
    const line = await appendLine(command, before, completed);
    // If the dates are unchanged, the completion is before the mark. It is then only history, but still recorded as a change.
    const set =
      done === dates
        ? {}
        : {
            ...done,
            completionId: line,
            completedByName: recordedName(command.actor),
            markId: null,
            markReason: null,
            occurrence: before.occurrence + 1,
          };
    return { ...(await saveTask(command, before, set)), completionId: line };
  });
}

/** The line that completed an occurrence on that day, unless it was undone. */
async function findCompletion(
  { tx }: Command,
  taskId: string,
  occurrence: number,
  day: string,
): Promise<string | undefined> {
  const [found] = await tx
    .select({ id: taskLines.id })
    .from(taskLines)
    .where(
      and(
        eq(taskLines.taskId, taskId),
        eq(taskLines.occurrence, occurrence),
        eq(taskLines.day, day),
        sql`not exists (select 1 from ${taskLines} u where u.of = ${taskLines.id} and u.kind = 'undone')`,
      ),
    )
    .limit(1);
  return found?.id;
}

/** @throws AppError `invalid` if the certificate's date is needed and missing, or out of range */
function assertStated(
  { basis }: Recurrence,
  { day, stated, today }: { day: string; stated: string | null; today: string },
): void {
  if (basis !== 'stated') return;
  const fault = certificateFault(stated, { day, today });
  if (fault !== undefined) throw invalid({ stated: fault });
}

/** Corrects the day of the last completion by adding a line; the dates are computed again. */
export function correctCompletion(ctx: SignedInContext, input: CorrectTaskInput): Promise<TaskAnswer> {
  return runCommand(ctx, 'tasks.correct', input, async (command) => {
    const { occurrence, day } = input;
    const before = await lockTask(command, input.id);
    assertNotByCheck(before);
    if (before.completedOn === day && before.retiredAt === null)
      return { id: before.id, version: before.version };
    assertAsSeen(before, occurrence);
    const { completionId } = before;
    if (completionId === null) throw invalid({ day: taskMessages.notCompleted });
    assertCompletionDay(day, await todayOf(command), 'day');
    await appendLine(command, before, { kind: 'corrected', day, of: completionId });
    const state = await recompute(command, before);
    // The corrected completion would no longer be the last one, or no longer end the mark that it ended.
    if (state.completion !== completionId || state.mark !== before.markId) {
      throw invalid({ day: taskMessages.beforeAnother });
    }
    return saveTask(command, before, { ...state.dates, occurrence: before.occurrence + 1 });
  });
}

/** Moves the present occurrence to another day. Neither the grid nor the last covered day changes. */
export function scheduleOccurrence(ctx: SignedInContext, input: ScheduleTaskInput): Promise<TaskAnswer> {
  return runCommand(ctx, 'tasks.schedule', input, async (command) => {
    const before = await lockTask(command, input.id);
    assertNotByCheck(before);
    assertInUse(before);
    const { due } = mergeEdit(
      { due: before.due },
      before.version,
      { due: input.due },
      taskMessages.changedSince,
    );
    if (due === undefined) return { id: before.id, version: before.version };
    if (!isScheduleDay(due, await todayOf(command))) {
      throw invalid({ 'due.to': taskMessages.scheduleOutOfRange });
    }
    return moveTo(command, before, due);
  });
}

/** Moves the present occurrence of a locked task, and appends the line. */
async function moveTo(command: Command, before: Task, due: string): Promise<TaskAnswer> {
  const { gridDay, occurrence } = before;
  await appendLine(command, before, { kind: 'scheduled', day: await todayOf(command), gridDay, due });
  return saveTask(command, before, { due, occurrence: occurrence + 1 });
}

/**
 * Marks a task as non-compliant, with a reason (ruling T9). The number of the occurrence rises, so that a completion by a
 * person who does not know of the mark cannot end it.
 */
export function markNonCompliant(ctx: SignedInContext, input: ReasonedTaskInput): Promise<TaskAnswer> {
  return runCommand(ctx, 'tasks.mark', input, async (command) => {
    const before = await lockTask(command, input.id);
    assertNotByCheck(before);
    assertInUse(before);
    const { reason } = input;
    const day = await todayOf(command);
    const markId = await appendLine(command, before, { kind: 'marked', day, reason });
    return saveTask(command, before, {
      markedOn: day,
      markReason: reason,
      markId,
      occurrence: before.occurrence + 1,
    });
  });
}

/** Undoes a completion or a mark by adding a line with a reason (ruling T24); the dates are computed again. */
export function undoLine(ctx: SignedInContext, input: UndoTaskInput): Promise<TaskAnswer> {
  return runCommand(ctx, 'tasks.undo', input, async (command) => {
    const before = await lockTask(command, input.id);
    assertNotByCheck(before);
    assertInUse(before);
    const lineId = input.lineId.toLowerCase();
    const lines = await readLines(command.tx, before.id);
    const line = lines.find(({ id }) => id === lineId);
    const undoable =
      line?.kind === 'completed' ||
      line?.kind === 'marked' ||
      (line?.kind === 'created' && line.lastDone !== null);
    if (!undoable) throw invalid({ lineId: taskMessages.notUndoable });
    if (lines.some(({ kind, of }) => kind === 'undone' && of === lineId)) {
      return { id: before.id, version: before.version };
    }
    await appendLine(command, before, {
      kind: 'undone',
      day: await todayOf(command),
      of: lineId,
      reason: input.reason,
    });
    const state = await recompute(command, before);
    return saveTask(command, before, {
      ...state.dates,
      ...state.signed,
      occurrence: before.occurrence + 1,
    });
  });
}

/** Computes a task from its lines, with the name and the reason of the completion and the mark that are in force. */
async function recompute({ tx }: Command, { id }: Task): Promise<TaskState & { signed: TaskColumns }> {
  const lines = await readLines(tx, id);
  const state = await finishYielding(readRecordInSteps(recordOf(lines)));
  const completion = lines.find((line) => line.id === state.completion);
  const mark = lines.find((line) => line.id === state.mark);
  const signed = {
    completionId: state.completion,
    completedByName: completion?.recordedByName ?? null,
    markId: state.mark,
    markReason: mark?.reason ?? null,
  };
  return { ...state, signed };
}
