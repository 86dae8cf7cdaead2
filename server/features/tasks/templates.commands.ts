import type { ApplyTemplatesInput } from '#shared/features/tasks.ts';
import { uuidv7 } from '#shared/ids.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { todayOf } from '../../kernel/settings.ts';
import { assertRoom, findBuilding, insertTask, lockTasksInUse } from './tasks.writes.ts';
import { chooseTemplates } from './templates.queries.ts';

/**
 * Adds the chosen templates to a building. One that a task in use was made from, or whose check satisfies one, is left
 * out, also where two people apply it at once.
 */
export function applyTemplates(
  ctx: SignedInContext,
  input: ApplyTemplatesInput,
): Promise<{ id: string; version: number; added: string[]; leftOut: string[] }> {
  return runCommand(ctx, 'tasks.applyTemplates', input, async (command) => {
    const { tx } = command;
    const building = await findBuilding(command, input.buildingId);
    // Before what is in use is read: the second of two finds what the first has added, or restored.
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
