import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { assets } from '#db/schema/assets.ts';
import { tasks } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import { searchMissingDuties } from '#shared/features/tasks/missing-duties.ts';
import { storedRecurrence } from '#shared/features/tasks/task-frequency.ts';
import { newTaskDates } from '#shared/features/tasks/task-schedule.ts';
import { OFFERED_TEMPLATES, type TaskTemplate, templateOf } from '#shared/features/tasks/task-templates.ts';
import type {
  PlannedTask,
  PreviewTemplatesInput,
  Task,
  TemplateOffer,
  TemplatePreview,
} from '#shared/features/tasks/tasks.ts';
import { formatTaskNumber } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import type { Actor } from '../../access/actor.ts';
import { finishYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { previewNumber } from '../../kernel/counters.ts';
import { readTimeZone } from '../../kernel/settings.ts';
import { assertVisible } from '../locations/locations.queries.ts';
import { readCheckStanding } from './check-standing.ts';
import { selectTasks } from './task-row.ts';
import { dayOfJudging, TASK_COUNTER } from './tasks.queries.ts';

/**
 * The library's offer for a building: the templates from which tasks in use were made, and the duties that the building's
 * register implies and that no task covers.
 */
export async function readTemplateOffer(
  db: Queryable,
  actor: Actor,
  buildingId: string,
): Promise<TemplateOffer> {
  await assertVisible(db, actor, buildingId);
  const inUse = await selectTasks(db).where(and(eq(tasks.buildingId, buildingId), isNull(tasks.retiredAt)));
  const counted = await db
    .select({ type: assets.effectiveType, count: sql<number>`sum(${assets.quantity})::int` })
    .from(assets)
    .where(and(eq(assets.buildingId, buildingId), isNull(assets.retiredAt)))
    .groupBy(assets.effectiveType);
  const register = Object.fromEntries(counted.map(({ type, count }) => [type, count]));
  const { missing, toConfirm } = await finishYielding(searchMissingDuties(register, inUse));
  const named = (duties: typeof missing) =>
    duties.map(({ template, assets: having }) => ({ templateId: template.id, assets: having }));
  return {
    assets: counted.reduce((all, { count }) => all + count, 0),
    inUse: OFFERED_TEMPLATES.filter((template) => isInUse(template, inUse)).map(({ id }) => id),
    missing: named(missing),
    toConfirm: named(toConfirm),
  };
}

type Made = Pick<Task, 'templateId' | 'check'>;

/** Whether a task of a building was made from a template, or is satisfied by the same check. */
function isInUse({ id, check }: TaskTemplate, inUse: readonly Made[]): boolean {
  return inUse.some((task) => task.templateId === id || (check !== null && task.check === check));
}

/**
 * Reads which of the chosen templates would be added to a building, in the given order, and which are in use there.
 * @throws AppError `invalid` at the id of a template that is not offered
 */
export async function chooseTemplates(
  db: Queryable,
  buildingId: string,
  templateIds: readonly string[],
): Promise<{ wanted: TaskTemplate[]; leftOut: string[] }> {
  const chosen = [...new Set(templateIds)].map((id, at) => {
    const template = templateOf(id);
    if (template?.isInForce === true) return template;
    const fields = { [`templateIds.${at}`]: taskMessages.templateUnknown };
    throw new AppError('invalid', { data: { fields } });
  });
  const inUse = await db
    .select({ templateId: tasks.templateId, check: tasks.check })
    .from(tasks)
    .where(and(eq(tasks.buildingId, buildingId), isNull(tasks.retiredAt)));
  const wanted = chosen.filter((template) => !isInUse(template, inUse));
  return { wanted, leftOut: chosen.filter((template) => !wanted.includes(template)).map(({ id }) => id) };
}

/** The tasks that applying templates would add to a building now, with their numbers and dates. Stores nothing. */
export async function previewTemplates(
  tx: Transaction,
  actor: Actor,
  { buildingId, templateIds }: PreviewTemplatesInput,
  now: Date,
): Promise<TemplatePreview> {
  const { code, next } = await previewNumber(tx, actor, { buildingId, kind: TASK_COUNTER });
  const { wanted, leftOut } = await chooseTemplates(tx, buildingId, templateIds);
  const judging = await dayOfJudging(tx, now);
  const day = { today: judging.today, timeZone: await readTimeZone(tx) };
  const planned: PlannedTask[] = [];
  for (const [at, { id, recurrence, check }] of wanted.entries()) {
    const dates = newTaskDates(recurrence, { createdOn: day.today });
    const task = {
      ...{ id, buildingId, check, createdAt: now.toISOString() },
      ...storedRecurrence(recurrence),
      ...dates,
    };
    const { due, completedOn, isDue } =
      check === null ? { ...dates, isDue: true } : await readCheckStanding(tx, task, day);
    const taskNumber = formatTaskNumber(code, next + at);
    planned.push({ templateId: id, taskNumber, due, completedOn, isDue });
  }
  return { ...judging, planned, leftOut };
}
