import { eq } from 'drizzle-orm';
import { tasks } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import { frequencyOfCheck } from '#shared/features/checks/kinds.vocabulary.ts';
import { certificateFault } from '#shared/features/tasks/certificate-fault.ts';
import { formatSpan, recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { readRecordInSteps } from '#shared/features/tasks/task-record.ts';
import {
  changeRecurrence,
  isCompletionDay,
  NO_TIME,
  recurrenceOf,
} from '#shared/features/tasks/task-schedule.ts';
import type {
  CreateTaskInput,
  ReasonedTaskInput,
  RestoreTaskInput,
  Task,
  TaskEdit,
  UpdateTaskInput,
} from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { isPersonAt } from '../../access/people.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import { finishYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { readToday, todayOf } from '../../kernel/settings.ts';
import { readCheckStanding } from './check-standing.ts';
import { assertInUse, invalid, lockTask, saveTask, type TaskAnswer } from './locked-task.ts';
import { appendLine, readLines, recordOf } from './task-lines.ts';
import { datesOf } from './task-row.ts';
import { visibleTask } from './tasks.queries.ts';
import { assertRoom, findBuilding, insertTask, lockChecks } from './tasks.writes.ts';

/** Adds a task to a building that the person may see. It gets the building's next number. */
export function createTask(
  ctx: SignedInContext,
  input: CreateTaskInput,
): Promise<TaskAnswer & { taskNumber: string }> {
  return runCommand(ctx, 'tasks.create', input, async (command) => {
    const { operationId: _operation, buildingId, frequency, lastDone, stated: given, ...fields } = input;
    const building = await findBuilding(command, buildingId);
    const today = await todayOf(command);
    if (lastDone !== null && input.check !== null) throw invalid({ lastDone: taskMessages.byCheck });
    if (lastDone !== null) assertCompletionDay(lastDone, today, 'lastDone');
    await assertResponsible(command, buildingId, fields.responsibleId, 'responsibleId');
    await refuseTakenId(command, input.id);
    await assertRoom(command, buildingId, 1);
    const { check } = fields;
    const recurrence =
      check === null
        ? recurrenceFrom({ frequency, early: null, grace: formatSpan(NO_TIME) })
        : recurrenceOf(frequencyOfCheck(check));
    // A stated date that does not apply to this frequency is not stored: after a change of frequency it would apply without
    // having been checked.
    const stated = recurrence.basis === 'stated' && lastDone !== null ? given : null;
    if (stated !== null && lastDone !== null) {
      const fault = certificateFault(stated, { day: lastDone, today });
      if (fault !== undefined) throw invalid({ stated: fault });
    }
    const made = await insertTask(command, building, { ...fields, recurrence, lastDone, stated }, today);
    // Another command has taken the id since the check; checking again throws the right error.
    if (made === undefined) await refuseTakenId(command, input.id);
    if (made === undefined) throw invalid({ check: taskMessages.duplicateInUse });
    await command.record({ op: 'put', entity: 'task', row: made, changes: null });
    return { id: made.id, version: made.version, taskNumber: made.taskNumber };
  });
}

/**
 * Refuses an id that is taken. Clients make ids, so the error must not reveal a task that the person may not see.
 */
async function refuseTakenId({ tx, actor }: Command, id: string): Promise<void> {
  const [seen] = await tx.select({ id: tasks.id }).from(tasks).where(visibleTask(actor, id));
  if (seen !== undefined) throw new AppError('duplicate');
  const [taken] = await tx.select({ id: tasks.id }).from(tasks).where(eq(tasks.id, id));
  if (taken !== undefined) throw new AppError('not_found');
}

/** @throws AppError `invalid` at the field for a day in the future, or more than 30 years back */
export function assertCompletionDay(day: string, today: string, field: string): void {
  if (isCompletionDay(day, today)) return;
  throw invalid({ [field]: day > today ? taskMessages.completionFuture : taskMessages.completionTooOld });
}

async function assertResponsible(
  { tx }: Command,
  buildingId: string,
  userId: string | null,
  field: string,
): Promise<void> {
  if (userId === null || (await isPersonAt(tx, buildingId, userId, 'view_tasks'))) return;
  throw invalid({ [field]: taskMessages.responsibleUnknown });
}

/**
 * Changes fields of a task, merged field by field under the row's lock (rule S6). After a change of frequency the dates
 * are computed from the last completion.
 * @throws AppError `conflict` with the present values if another person changed an edited field since; nothing is
 *   stored
 */
export function updateTask(ctx: SignedInContext, input: UpdateTaskInput): Promise<TaskAnswer> {
  return runCommand(ctx, 'tasks.update', input, async (command) => {
    const before = await lockTask(command, input.id);
    assertInUse(before);
    const set = mergeEdit(editable(before), before.version, lowerCaseIds(input.changes));
    if (Object.keys(set).length === 0) return { id: before.id, version: before.version };
    if (set.responsibleId != null) {
      await assertResponsible(command, before.buildingId, set.responsibleId, 'changes.responsibleId.to');
    }
    const { frequency, ...fields } = set;
    if (set.responsiblePerson !== undefined || set.responsibleId !== undefined) {
      await appendLine(command, before, {
        kind: 'reassigned',
        day: await todayOf(command),
        notes: set.responsiblePerson ?? before.responsiblePerson,
      });
    }
    const reckoned = frequency === undefined ? {} : await changeFrequency(command, before, frequency);
    return saveTask(command, before, { ...fields, ...reckoned });
  });
}

async function changeFrequency(command: Command, before: Task, frequency: string) {
  if (before.check !== null) throw invalid({ 'changes.frequency.to': taskMessages.byCheck });
  const stored = { frequency, early: null, grace: formatSpan(NO_TIME) };
  const lines = await readLines(command.tx, before.id);
  const { stated } = await finishYielding(readRecordInSteps(recordOf(lines)));
  await appendLine(command, before, { kind: 'changed', day: await todayOf(command), ...stored });
  const dates = changeRecurrence(datesOf(before), recurrenceFrom(stored), stated);
  return { ...stored, ...dates, occurrence: before.occurrence + 1 };
}

function editable(row: Task): TaskEdit {
  const { complianceSystem, taskDescription, frequency, responsiblePerson, responsibleId } = row;
  return { complianceSystem, taskDescription, frequency, responsiblePerson, responsibleId };
}

/** Ids in the database are lower case; clients may send upper case. */
function lowerCaseIds(changes: UpdateTaskInput['changes']): UpdateTaskInput['changes'] {
  if (changes.responsibleId === undefined) return changes;
  const { from, to } = changes.responsibleId;
  return {
    ...changes,
    responsibleId: { from: from?.toLowerCase() ?? null, to: to?.toLowerCase() ?? null },
  };
}

/** Takes a task out of use, with a reason. Its row and its record stay, and it can be restored. */
export function retireTask(ctx: SignedInContext, input: ReasonedTaskInput): Promise<TaskAnswer> {
  return runCommand(ctx, 'tasks.retire', input, async (command) => {
    const before = await lockTask(command, input.id);
    if (before.retiredAt !== null) return { id: before.id, version: before.version };
    const { reason } = input;
    await appendLine(command, before, { kind: 'retired', day: await todayOf(command), reason });
    return saveTask(command, before, { retiredAt: command.now, retireReason: reason });
  });
}

/**
 * Takes a retired task back into use, with the dates that it had.
 * @throws AppError `invalid` if the building has another task of the same template or check in use
 */
export function restoreTask(ctx: SignedInContext, input: RestoreTaskInput): Promise<TaskAnswer> {
  return runCommand(ctx, 'tasks.restore', input, async (command) => {
    const before = await lockTask(command, input.id);
    if (before.retiredAt === null) return { id: before.id, version: before.version };
    // Locks in the same order as adding a task, so that the two cannot deadlock.
    await assertRoom(command, before.buildingId, 1);
    if (before.check !== null) await lockChecks(command, before.buildingId);
    await appendLine(command, before, { kind: 'restored', day: await todayOf(command) });
    try {
      // Its check may have been recorded while it was retired.
      const standing =
        before.check === null
          ? {}
          : await readCheckStanding(command.tx, before, await readToday(command.tx, new Date(command.now)));
      return await saveTask(command, before, { ...standing, retiredAt: null, retireReason: null });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new AppError('invalid', { data: { fields: {} }, message: taskMessages.duplicateInUse });
    }
  });
}
