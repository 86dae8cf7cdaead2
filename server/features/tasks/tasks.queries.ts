import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { buildings } from '#db/schema/places.ts';
import { buildingPulses } from '#db/schema/pulse.ts';
import { taskLines, tasks } from '#db/schema/tasks.ts';
import { addDays, startOfDay } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import type {
  BuildingTasks,
  RecordedLine,
  ResponsibleOptions,
  Task,
  TaskFilter,
  TaskList,
  TaskOverview,
} from '#shared/features/tasks/tasks.ts';
import { formatTaskNumber, RETIRED_SHOWN_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { peopleAt } from '../../access/people.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { previewNumber } from '../../kernel/counters.ts';
import { readToday } from '../../kernel/settings.ts';
import { assertVisible } from '../locations/locations.queries.ts';
import { judgedOn, whereTaskFilter } from './task-filter.ts';
import { selectTasks } from './task-row.ts';

export const TASK_COUNTER = 'task';

/** SQL condition for one task, if this person may see it. */
export function visibleTask(actor: Actor, id: string): SQL | undefined {
  return and(eq(tasks.id, id), visibleTo(actor, tasks.buildingId));
}

const byDue = [asc(tasks.due), asc(tasks.taskNumber)];

/** Lists all tasks of a building that are in use, or the last ones retired, by due date. */
export async function listTasks(
  db: Queryable,
  actor: Actor,
  { buildingId, retired }: { buildingId: string; retired: boolean },
  now: Date,
): Promise<TaskList> {
  await assertVisible(db, actor, buildingId);
  const inBuilding = eq(tasks.buildingId, buildingId);
  const day = await dayOfJudging(db, now);
  if (!retired) {
    const rows = await selectTasks(db)
      .where(and(inBuilding, isNull(tasks.retiredAt)))
      .orderBy(...byDue);
    return { ...day, tasks: rows, omitted: 0 };
  }
  const all = and(inBuilding, isNotNull(tasks.retiredAt));
  const last = db
    .select({ id: tasks.id })
    .from(tasks)
    .where(all)
    .orderBy(desc(tasks.retiredAt), desc(tasks.id))
    .limit(RETIRED_SHOWN_MAX);
  const rows = await selectTasks(db)
    .where(inArray(tasks.id, last))
    .orderBy(...byDue);
  const total = rows.length < RETIRED_SHOWN_MAX ? rows.length : await db.$count(tasks, all);
  return { ...day, tasks: rows, omitted: total - rows.length };
}

/** Reads tasks in use, of one building or of all that a person may see, in the order of their numbers. */
export function readTasksAfter(
  db: Queryable,
  actor: Actor,
  page: { buildingId: string | undefined; after: string | undefined; limit: number },
): Promise<Task[]> {
  const { buildingId, after, limit } = page;
  return selectTasks(db)
    .where(
      and(
        visibleTo(actor, tasks.buildingId),
        isNull(tasks.retiredAt),
        buildingId === undefined ? undefined : eq(tasks.buildingId, buildingId),
        after === undefined ? undefined : gt(tasks.taskNumber, after),
      ),
    )
    .orderBy(asc(tasks.taskNumber))
    .limit(limit);
}

/** The organisation's day, by which tasks are judged, and the moment at which it ends. */
export async function dayOfJudging(db: Queryable, now: Date): Promise<{ today: string; changesAt: string }> {
  const { today, timeZone } = await readToday(db, now);
  return { today, changesAt: new Date(startOfDay(addDays(today, 1), timeZone)).toISOString() };
}

/**
 * The cards over all buildings that a person may see, and a row for each building, the worst first. Without a filter they
 * come from the stored figures of the buildings (decision 179); with one, only buildings with matching tasks have a row.
 */
export async function readOverview(
  db: Queryable,
  actor: Actor,
  filter: TaskFilter,
  now: Date,
): Promise<TaskOverview> {
  const { today, changesAt } = await dayOfJudging(db, now);
  const filtered = whereTaskFilter(filter, today);
  const rows =
    filtered === undefined
      ? ((await keptByBuilding(db, actor, today)) ?? (await countEach(db, actor, today)))
      : await countMatching(db, actor, filtered, today);
  return { today, changesAt, summary: totalOf(rows), buildings: rows };
}

/** The stored figures; undefined while those of a building are still judged by another day, as just after midnight. */
async function keptByBuilding(
  db: Queryable,
  actor: Actor,
  today: string,
): Promise<BuildingTasks[] | undefined> {
  const p = buildingPulses;
  const rows = await db
    .select({
      buildingId: p.buildingId,
      buildingName: buildings.name,
      compliant: p.tasksCompliant,
      nonCompliant: p.tasksNonCompliant,
      overdue: p.tasksOverdue,
      dueThisWeek: p.tasksDueThisWeek,
      withoutTasks: sql<boolean>`${p.tasksCompliant} + ${p.tasksNonCompliant} = 0 and not exists (
        select 1 from ${tasks} t where t.location_id = ${p.buildingId} and t.retired_at is null)`,
      day: p.day,
    })
    .from(p)
    .innerJoin(buildings, eq(buildings.id, p.buildingId))
    .where(visibleTo(actor, p.buildingId))
    .orderBy(...worstFirst(p.tasksOverdue, p.tasksNonCompliant, p.tasksCompliant));
  if (rows.some(({ day }) => day !== today)) return undefined;
  return rows.map(({ day: _, ...row }) => row);
}

/** The figures of every building, counted from its tasks. */
async function countEach(db: Queryable, actor: Actor, today: string): Promise<BuildingTasks[]> {
  const counted = countTasks(db, actor, undefined, today);
  const orNone = (figure: SQL.Aliased<number>) => sql<number>`coalesce(${figure}, 0)`;
  const [compliant, nonCompliant, overdue] = [
    orNone(counted.compliant),
    orNone(counted.nonCompliant),
    orNone(counted.overdue),
  ];
  return db
    .select({
      buildingId: buildings.id,
      buildingName: buildings.name,
      compliant,
      nonCompliant,
      overdue,
      dueThisWeek: orNone(counted.dueThisWeek),
      withoutTasks: sql<boolean>`${counted.buildingId} is null`,
    })
    .from(buildings)
    .leftJoin(counted, eq(counted.buildingId, buildings.id))
    .where(visibleTo(actor, buildings.id))
    .orderBy(...worstFirst(overdue, nonCompliant, compliant));
}

/** The figures of the buildings with tasks that match a filter, counted from these tasks. */
async function countMatching(
  db: Queryable,
  actor: Actor,
  filtered: SQL,
  today: string,
): Promise<BuildingTasks[]> {
  const counted = countTasks(db, actor, and(filtered, tasks.isDue), today);
  return db
    .select({
      buildingId: counted.buildingId,
      buildingName: buildings.name,
      compliant: counted.compliant,
      nonCompliant: counted.nonCompliant,
      overdue: counted.overdue,
      dueThisWeek: counted.dueThisWeek,
      withoutTasks: sql<boolean>`false`,
    })
    .from(counted)
    .innerJoin(buildings, eq(buildings.id, counted.buildingId))
    .orderBy(...worstFirst(counted.overdue, counted.nonCompliant, counted.compliant));
}

/** The figures of buildings with tasks in use; a task that is not due counts in none of the figures. */
function countTasks(db: Queryable, actor: Actor, which: SQL | undefined, today: string) {
  const { isCompliant, isOverdue, isDueThisWeek } = judgedOn(today);
  const count = (condition: SQL) =>
    sql<number>`(count(*) filter (where ${tasks.isDue} and ${condition}))::int`;
  return db
    .select({
      buildingId: tasks.buildingId,
      compliant: count(isCompliant).as('compliant'),
      nonCompliant: count(sql`not ${isCompliant}`).as('non_compliant'),
      overdue: count(isOverdue).as('overdue'),
      dueThisWeek: count(isDueThisWeek).as('due_this_week'),
    })
    .from(tasks)
    .where(and(isNull(tasks.retiredAt), visibleTo(actor, tasks.buildingId), which))
    .groupBy(tasks.buildingId)
    .as('counted');
}

/** Most overdue first, then most non-compliant, then buildings without a compliant task, where nothing is done. */
function worstFirst(overdue: SQLWrapper, nonCompliant: SQLWrapper, compliant: SQLWrapper): SQL[] {
  return [
    desc(overdue),
    desc(nonCompliant),
    asc(sql`${compliant} > 0`),
    sql`${buildings.sortKey} collate "C"`,
    asc(buildings.id),
  ];
}

function totalOf(rows: readonly BuildingTasks[]): TaskOverview['summary'] {
  const total = { compliant: 0, nonCompliant: 0, overdue: 0, dueThisWeek: 0 };
  for (const row of rows) {
    total.compliant += row.compliant;
    total.nonCompliant += row.nonCompliant;
    total.overdue += row.overdue;
    total.dueThisWeek += row.dueThisWeek;
  }
  return total;
}

/** @throws AppError `not_found` if the task does not exist or this person may not see its building */
export async function getTask(db: Queryable, actor: Actor, id: string): Promise<Task> {
  const [task] = await selectTasks(db).where(visibleTask(actor, id));
  if (task === undefined) throw new AppError('not_found');
  return task;
}

/** Reads the record of a task, the first line first. */
export async function readTaskRecord(db: Queryable, actor: Actor, id: string): Promise<RecordedLine[]> {
  await getTask(db, actor, id);
  return db
    .select({
      id: taskLines.id,
      kind: taskLines.kind,
      day: taskLines.day,
      due: taskLines.due,
      of: taskLines.of,
      lastDone: taskLines.lastDone,
      stated: taskLines.stated,
      reason: taskLines.reason,
      notes: taskLines.notes,
      byName: taskLines.recordedByName,
      recordedAt: taskLines.recordedAt,
    })
    .from(taskLines)
    .where(eq(taskLines.taskId, id))
    .orderBy(asc(taskLines.position));
}

/** Previews the number of a building's next task; a concurrent command may take it. */
export async function nextTaskNumber(
  db: Queryable,
  actor: Actor,
  buildingId: string,
): Promise<{ taskNumber: string }> {
  const { code, next } = await previewNumber(db, actor, { buildingId, kind: TASK_COUNTER });
  return { taskNumber: formatTaskNumber(code, next) };
}

/** The most names to filter by. */
const NAMES_MAX = 500;

/**
 * Lists the names on the tasks that a person may see, each once. A person who may edit tasks also gets the people with
 * access to the building (ruling T26).
 */
export async function listResponsible(
  db: Queryable,
  actor: Actor,
  buildingId: string | undefined,
): Promise<ResponsibleOptions> {
  if (buildingId !== undefined) await assertVisible(db, actor, buildingId);
  const rows = await db
    .selectDistinctOn([tasks.responsibleKey], { name: tasks.responsiblePerson })
    .from(tasks)
    .where(
      and(
        visibleTo(actor, tasks.buildingId),
        isNull(tasks.retiredAt),
        sql`${tasks.responsiblePerson} <> ''`,
        buildingId === undefined ? undefined : eq(tasks.buildingId, buildingId),
      ),
    )
    .orderBy(asc(tasks.responsibleKey), asc(tasks.responsiblePerson))
    .limit(NAMES_MAX);
  const offered = buildingId !== undefined && actor.permissions.includes('edit_tasks');
  return {
    names: rows.map(({ name }) => name),
    people: offered ? await peopleAt(db, buildingId, 'view_tasks') : [],
  };
}
