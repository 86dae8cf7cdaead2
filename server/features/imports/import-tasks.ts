import { and, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { tasks } from '#db/schema/tasks.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { BUILDING_TASKS_MAX } from '#shared/features/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { recurrenceFrom } from '#shared/task-frequency.ts';
import { isCompletionDay } from '#shared/task-schedule.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { todayOf } from '../../kernel/settings.ts';
import { forEachYielding, mapYielding } from '../../kernel/yield-to-event-loop.ts';
import { type AddedTask, insertTasks, numberTasks } from '../tasks/insert-tasks.writes.ts';
import { certificateFault } from '../tasks/tasks.writes.ts';
import { firstLines, type Importer, parts, stalePlan, WRITE_AT_ONCE } from './import-plan.ts';
import { buildingFinder, foldName } from './known-places.ts';
import type { ImportRows, TellFault } from './row-readers.ts';

/** Keys looked up in one statement. */
const READ_AT_ONCE = 500;

export const tasksImporter: Importer<ImportRows['tasks'], AddedTask[]> = {
  async resolve(db, actor, rows, now) {
    const find = await buildingFinder(db, actor);
    const today = await todayOf({ tx: db, now });
    const placed = await mapYielding(rows, ({ row, line, fault }) => {
      const { client: _client, building: _building, frequency, ...values } = row;
      const building = find(row, fault);
      const recurrence = recurrenceFrom({ frequency, early: null, grace: 'P0D' });
      judgeDays({ ...values, basis: recurrence.basis, today }, fault);
      return building === null
        ? []
        : [{ task: { ...values, id: uuidv7(), building, recurrence }, line, fault }];
    });
    const found = placed.flat();
    const planned = found.map(({ task }) => task);
    const [inUse, taken] = [await countsInUse(db, planned), await keysTaken(db, planned)];
    const metBefore = firstLines();
    await forEachYielding(found, ({ task, line, fault }) => {
      const count = (inUse.get(task.building.id) ?? 0) + 1;
      inUse.set(task.building.id, count);
      if (count > BUILDING_TASKS_MAX) fault('Building Name', taskMessages.tooMany(BUILDING_TASKS_MAX));
      const before = metBefore(keyOf(task), line);
      if (before !== undefined) fault('Description', importMessages.twice(before));
      else if (taken.has(keyOf(task))) fault('Description', importMessages.taskTaken);
    });
    return planned;
  },

  async write(command, plan, progress) {
    const { tx } = command;
    const today = await todayOf(command);
    const numbered = await numberTasks(command, plan);
    // Looked up once more: until the numbers were taken, others could add tasks to these buildings.
    if ((await keysTaken(tx, plan)).size > 0) throw stalePlan();
    const counts = await countsInUse(tx, plan);
    for (const { building } of plan) {
      const count = (counts.get(building.id) ?? 0) + 1;
      if (count > BUILDING_TASKS_MAX) throw stalePlan();
      counts.set(building.id, count);
    }
    let done = 0;
    for (const part of parts(numbered, WRITE_AT_ONCE)) {
      await insertTasks(command, part, today);
      done += part.length;
      await progress(done);
    }
    const ids = [...counts.keys()];
    if (ids.length > SEPARATE_EVENTS_MAX) {
      await command.recordBulkIn({ entity: 'task', buildingId: ids[0] ?? '' }, ids);
    } else for (const id of ids) await command.recordBulk({ entity: 'task', buildingId: id });
  },
};

type Days = Pick<AddedTask, 'lastDone' | 'stated'> & { basis: string; today: string };

function judgeDays({ lastDone, stated, basis, today }: Days, fault: TellFault): void {
  if (lastDone !== null && !isCompletionDay(lastDone, today)) {
    fault('Last Done', lastDone > today ? taskMessages.completionFuture : taskMessages.completionTooOld);
  }
  if (basis !== 'stated') {
    if (stated !== null) fault('Certificate Until', importMessages.notStated);
    return;
  }
  if (lastDone === null) {
    if (stated !== null) fault('Last Done', importMessages.lastDoneRequired);
    return;
  }
  const wrong = certificateFault(stated, { day: lastDone, today });
  if (wrong !== undefined) fault('Certificate Until', wrong);
}

/** The key by which two tasks of a building count as the same, ignoring case. */
function keyOf({ building, complianceSystem, taskDescription }: AddedTask): string {
  return [building.id, foldName(complianceSystem), foldName(taskDescription)].join('\n');
}

/** Reads how many tasks are in use in each building of a plan. */
async function countsInUse(db: Queryable, plan: readonly AddedTask[]): Promise<Map<string, number>> {
  const ids = [...new Set(plan.map(({ building }) => building.id))];
  const counted = await db
    .select({ id: tasks.buildingId, count: sql<number>`count(*)::int` })
    .from(tasks)
    .where(and(isAnyOf(tasks.buildingId, ids), isNull(tasks.retiredAt)))
    .groupBy(tasks.buildingId);
  const counts = new Map(counted.map(({ id, count }) => [id, count]));
  return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
}

/** Reads the keys of a plan that tasks in use have. */
async function keysTaken(db: Queryable, plan: readonly AddedTask[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (const some of parts(plan, READ_AT_ONCE)) {
    const wanted = some.map(({ building, complianceSystem, taskDescription }) => ({
      location_id: building.id,
      system: complianceSystem,
      description: taskDescription,
    }));
    const there = await db.execute<{ at: number }>(sql`
      select w.at::int from rows from (json_to_recordset(${JSON.stringify(wanted)}::text::json)
          as (location_id uuid, system text, description text)) with ordinality as w (location_id, system, description, at)
      where exists (select 1 from ${tasks} t
        where t.location_id = w.location_id and t.retired_at is null
          and lower(t.compliance_system) = lower(w.system) and lower(t.task_description) = lower(w.description))`);
    for (const { at } of there) {
      const task = some[at - 1];
      if (task !== undefined) taken.add(keyOf(task));
    }
  }
  return taken;
}
