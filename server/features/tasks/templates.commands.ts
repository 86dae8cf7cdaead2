import { OFFERED_TEMPLATES } from '#shared/features/tasks/task-templates.ts';
import type { ApplyTemplatesInput, CoverDutyInput } from '#shared/features/tasks/tasks.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Changes } from '#shared/live/live.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { todayOf } from '../../kernel/settings.ts';
import { assertInUse, invalid, lockTask, type TaskAnswer } from './locked-task.ts';
import { writeTask } from './task-row.ts';
import { assertRoom, findBuilding, insertTask, lockTasksInUse } from './tasks.writes.ts';
import { chooseTemplates } from './templates.queries.ts';

/**
 * Adds the chosen templates to a building. Leaves out a template if a task in use was made from it, or is satisfied by the
 * same check, even when two people apply it at the same time.
 */
export function applyTemplates(
  ctx: SignedInContext,
  input: ApplyTemplatesInput,
): Promise<{ id: string; version: number; added: string[]; leftOut: string[] }> {
  return runCommand(ctx, 'tasks.applyTemplates', input, async (command) => {
    const { tx } = command;
    const building = await findBuilding(command, input.buildingId);
    // Locked before the tasks in use are read, so that the second of two commands finds the tasks that the first one added or
    // restored.
    await lockTasksInUse(command, building.id);
    const { wanted, leftOut } = await chooseTemplates(tx, building.id, input.templateIds);
    await assertRoom(command, building.id, wanted.length);
    const today = await todayOf(command);
    for (const { id, version, complianceSystem, taskDescription, recurrence, check } of wanted) {
      const values = { complianceSystem, taskDescription, recurrence, check };
      const nobody = { responsiblePerson: '', responsibleId: null, lastDone: null, stated: null };
      const task = await insertTask(
        command,
        building,
        { ...values, ...nobody, id: uuidv7(), template: { id, version } },
        today,
      );
      if (task === undefined) throw new Error(`template ${id} is in use in a building that is locked`);
      await command.record({ op: 'put', entity: 'task', row: task, changes: null });
    }
    return { id: building.id, version: 1, added: wanted.map(({ id }) => id), leftOut };
  });
}

/**
 * Records that a task covers the duty of a template, as if it had been made from the template. For tasks whose wording does not
 * show this.
 * @throws AppError `invalid` for a template that is not offered, a retired task, a task that covers another duty, or if another
 *   task in use covers this duty
 */
export function coverDuty(ctx: SignedInContext, input: CoverDutyInput): Promise<TaskAnswer> {
  return runCommand(ctx, 'tasks.coverDuty', input, async (command) => {
    const template = OFFERED_TEMPLATES.find(({ id }) => id === input.templateId);
    if (template === undefined) throw invalid({ templateId: taskMessages.templateUnknown });
    const before = await lockTask(command, input.id);
    assertInUse(before);
    if (before.templateId === template.id) return { id: before.id, version: before.version };
    if (before.templateId !== null) throw invalid({ id: taskMessages.coversAnother });
    const { id: templateId, version: templateVersion } = template;
    try {
      const task = await writeTask(command.tx, before, { templateId, templateVersion }, command.now);
      const changes: Changes = { duty: [null, taskName(template)] };
      await command.record({ op: 'put', entity: 'task', row: task, changes });
      return { id: task.id, version: task.version };
    } catch (error) {
      throw isDuplicate(error) ? invalid({ templateId: taskMessages.duplicateInUse }) : error;
    }
  });
}
