import { and, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { tasks } from '#db/schema/tasks.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { certificateFault } from '#shared/features/tasks/certificate-fault.ts';
import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { isCompletionDay, newTaskDates } from '#shared/features/tasks/task-schedule.ts';
import { BUILDING_TASKS_MAX, formatRecurrenceFully } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { forEachYielding, mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { todayOf } from '../../kernel/settings.ts';
import { type AddedTask, insertTasks, numberTasks } from '../tasks/insert-tasks.writes.ts';
import {
  addTo,
  agreesWith,
  type Compared,
  firstLines,
  type Importer,
  matcher,
  parts,
  READ_AT_ONCE,
  stalePlan,
  WRITE_AT_ONCE,
} from './import-plan.ts';
import { buildingFinder } from './known-places.ts';
import type { ImportRows, TellFault } from './row-readers.ts';

export const tasksImporter: Importer<ImportRows['tasks'], AddedTask[]> = {
  async resolve(db, actor, rows, { now, columns }) {
    const find = await buildingFinder(db, actor);
    const today = await todayOf({ tx: db, now });
    const placed = await mapYielding(rows, ({ row, ...rest }) => {
      const { client: _client, building: _building, frequency, due, ...values } = row;
      const building = find(row, rest.fault);
      const recurrence = recurrenceFrom({ frequency, early: null, grace: 'P0D' });
      return building === null
        ? []
        : [{ task: { ...values, id: uuidv7(), building, recurrence }, frequency, due, ...rest }];
    });
    const found = placed.flat();
    const planned = found.map(({ task }) => task);
    const [inUse, named] = [await countsInUse(db, planned), await tasksNamed(db, planned)];
    const metBefore = firstLines();
    const isHere = matcher<TaskHere>(columns);
    const added = await mapYielding(found, (looked) => {
      const { task, frequency, due, line, fault, note } = looked;
      const before = metBefore(keyOf(task), line);
      const withKey = named.get(keyOf(task)) ?? [];
      if (isHere(looked, withKey, (one) => comparedWith(one, task, frequency))) return [];
      let isSound = true;
      judgeDays({ ...task, basis: task.recurrence.basis, today }, (column, text) => {
        isSound = false;
        fault(column, text);
      });
      if (due !== null && isSound) {
        const { due: dueHere } = newTaskDates(task.recurrence, { ...task, createdOn: today });
        if (dueHere !== due) note(importMessages.dueOtherwise(dueHere, due));
      }
      const count = (inUse.get(task.building.id) ?? 0) + 1;
      inUse.set(task.building.id, count);
      if (count > BUILDING_TASKS_MAX) fault('Building Name', taskMessages.tooMany(BUILDING_TASKS_MAX));
      if (before !== undefined) fault('Description', importMessages.twice(before));
      return [task];
    });
    return added.flat();
  },

  async write(command, plan, progress) {
    const { tx } = command;
    const today = await todayOf(command);
    const numbered = await numberTasks(command, plan);
    // Looked up again: other commands could add tasks to these buildings until their numbers were locked.
    if ((await tasksNamed(tx, plan)).size > 0) throw stalePlan();
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

/** The key by which two tasks count as the same. */
function keyOf(task: AddedTask): string {
  return `${task.building.id}\n${taskKey(task)}`;
}

/** The key as the column `name_key` contains it. */
function taskKey({ complianceSystem, taskDescription }: AddedTask): string {
  return `${nameKey(complianceSystem)}\n${nameKey(taskDescription)}`;
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

/** A task in use, with the values that a file may contain. */
type TaskHere = {
  frequency: string;
  responsiblePerson: string;
  completedOn: string | null;
  coveredUntil: string | null;
  markReason: string | null;
};

function comparedWith(here: TaskHere, task: AddedTask, frequency: string): Compared[] {
  const [recurrence, { basis }] = [recurrenceFrom({ ...here, early: null, grace: 'P0D' }), task.recurrence];
  const until = recurrence.basis === 'stated' ? here.coveredUntil : null;
  const isFollowed = agreesWith(here.completedOn, task.lastDone) && here.completedOn !== task.lastDone;
  return [
    { column: 'Frequency', same: here.frequency === frequency, here: formatRecurrenceFully(recurrence) },
    {
      column: 'Responsible',
      same: nameKey(here.responsiblePerson) === nameKey(task.responsiblePerson),
      here: here.responsiblePerson,
    },
    { column: 'Last Done', same: agreesWith(here.completedOn, task.lastDone), here: here.completedOn ?? '' },
    {
      column: 'Certificate Until',
      same: until === task.stated || (isFollowed && basis === recurrence.basis),
      here: until ?? '',
    },
    {
      column: 'Non-compliant Because',
      // A mark that was made after the export, or ended by a later completion, is not a difference.
      same: task.markReason === null || here.markReason === task.markReason || isFollowed,
      here: here.markReason ?? '',
    },
  ];
}

/** Reads the tasks in use with the keys of a plan, by these keys. */
async function tasksNamed(db: Queryable, plan: readonly AddedTask[]): Promise<Map<string, TaskHere[]>> {
  const named = new Map<string, TaskHere[]>();
  const oneForKey = new Map<string, AddedTask>();
  await forEachYielding(plan, (task) => oneForKey.set(keyOf(task), task));
  for (const some of parts([...oneForKey.values()], READ_AT_ONCE)) {
    const wanted = some.map((task) => ({ location_id: task.building.id, name_key: taskKey(task) }));
    const there = await db.execute<{ at: number } & TaskHere>(sql`
      select w.at::int, t.frequency, t.responsible_person as "responsiblePerson",
        t.completed_on::text as "completedOn", t.covered_until::text as "coveredUntil",
        t.mark_reason as "markReason"
      from rows from (json_to_recordset(${JSON.stringify(wanted)}::text::json)
          as (location_id uuid, name_key text)) with ordinality as w (location_id, name_key, at)
      join ${tasks} t on t.location_id = w.location_id and t.retired_at is null and t.name_key = w.name_key
      order by t.task_number`);
    await forEachYielding(there, ({ at, ...task }) => {
      const one = some[at - 1];
      if (one !== undefined) addTo(named, keyOf(one), task);
    });
  }
  return named;
}
