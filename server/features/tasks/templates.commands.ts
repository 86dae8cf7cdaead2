import { and, eq, isNull } from 'drizzle-orm';
import { buildings } from '#db/schema/places.ts';
import { tasks } from '#db/schema/tasks.ts';
import { templateOf } from '#shared/features/task-templates.ts';
import type { ApplyTemplatesInput } from '#shared/features/tasks.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { todayOf } from '../../kernel/settings.ts';
import { invalid } from './locked-task.ts';
import { assertRoom, findBuilding, insertTask } from './tasks.writes.ts';

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
    const chosen = [...new Set(input.templateIds)].map((id, at) => {
      const template = templateOf(id);
      if (template?.isInForce !== true)
        throw invalid({ [`templateIds.${at}`]: taskMessages.templateUnknown });
      return template;
    });
    const building = await findBuilding(command, input.buildingId);
    // Two who apply templates to one building go one after the other: the second finds what the first has added.
    await tx
      .select({ id: buildings.id })
      .from(buildings)
      .where(eq(buildings.id, building.id))
      .for('no key update');
    const inUse = await tx
      .select({ templateId: tasks.templateId, check: tasks.check })
      .from(tasks)
      .where(and(eq(tasks.buildingId, building.id), isNull(tasks.retiredAt)));
    const wanted = chosen.filter(
      ({ id, check }) =>
        !inUse.some((task) => task.templateId === id || (check !== null && task.check === check)),
    );
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
    const added = wanted.map(({ id }) => id);
    const leftOut = chosen.map(({ id }) => id).filter((id) => !added.includes(id));
    return { id: building.id, version: 1, added, leftOut };
  });
}
