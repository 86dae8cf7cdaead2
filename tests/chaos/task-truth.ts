import type { Sql } from 'postgres';
import { recordOf } from '#server/features/tasks/task-lines.ts';
import { readRecord } from '#shared/features/tasks/task-record.ts';
import { summariseTasks } from '#shared/features/tasks/task-schedule.ts';
import type { ListTasksInput, Task } from '#shared/features/tasks/tasks.ts';
import { compareByName } from '#shared/text/name-keys.ts';

// The true state of compliance tasks, read directly from the tables.

type Person = { role: string; buildings: string[] };

/** The organisation's day. */
export async function readDay(sql: Sql): Promise<string> {
  const [row] = await sql<{ today: string }[]>`
    select (now() at time zone time_zone)::date::text as today from settings`;
  if (row === undefined) throw new Error('settings has no row');
  return row.today;
}

/** All tasks that a person may see, in the order of a list. */
function readTasks(sql: Sql, { role, buildings }: Person): Promise<readonly Task[]> {
  return sql<Task[]>`
    select t.id, t.task_number as "taskNumber", t.location_id as "buildingId", b.name as "buildingName",
      t.compliance_system as "complianceSystem", t.task_description as "taskDescription", t.frequency, t.early, t.grace,
      t.responsible_person as "responsiblePerson", t.responsible_id as "responsibleId", t.satisfied_by as check,
      t.template_id as "templateId", t.anchor::text, t.grid_day::text as "gridDay", t.due::text,
      t.covered_until::text as "coveredUntil", t.completed_on::text as "completedOn", t.marked_on::text as "markedOn",
      t.is_due as "isDue", t.completed_by_name as "completedByName", t.mark_reason as "markReason",
      t.completion_id as "completionId", t.mark_id as "markId", t.coverage, t.occurrence,
      ${time(sql, 'created_at')} as "createdAt", ${time(sql, 'updated_at')} as "updatedAt",
      ${time(sql, 'retired_at')} as "retiredAt", t.retire_reason as "retireReason", t.version
    from tasks t join buildings b on b.id = t.location_id
    where ${role === 'admin'} or t.location_id = any(${buildings}::uuid[])
    order by t.due, t.task_number`;
}

const time = (sql: Sql, column: string) =>
  sql`to_char(t.${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The expected list of tasks; undefined if the person may not see the building. */
export async function trueTaskList(
  sql: Sql,
  person: Person,
  { buildingId, retired }: ListTasksInput,
): Promise<{ today: string; tasks: Task[] } | undefined> {
  if (person.role !== 'admin' && !person.buildings.includes(buildingId)) return undefined;
  const all = await readTasks(sql, person);
  const tasks = all.filter((task) => task.buildingId === buildingId && (task.retiredAt !== null) === retired);
  return { today: await readDay(sql), tasks };
}

/** The expected summary over all sites. */
export async function trueOverview(sql: Sql, person: Person) {
  const today = await readDay(sql);
  const inUse = (await readTasks(sql, person)).filter(({ retiredAt }) => retiredAt === null);
  const counted = inUse.filter(({ isDue }) => isDue);
  const seen = await sql<{ buildingId: string; buildingName: string }[]>`
    select id as "buildingId", name as "buildingName" from buildings
    where archived_at is null and (${person.role === 'admin'} or id = any(${person.buildings}::uuid[]))`;
  const buildings = seen.map(({ buildingId, buildingName }) => ({
    ...{ buildingId, buildingName },
    withoutTasks: !inUse.some((task) => task.buildingId === buildingId),
    ...summariseTasks(
      counted.filter((task) => task.buildingId === buildingId),
      today,
    ),
  }));
  const named = (row: (typeof buildings)[number]) => ({ id: row.buildingId, name: row.buildingName });
  buildings.sort(
    (a, b) =>
      b.overdue - a.overdue ||
      b.nonCompliant - a.nonCompliant ||
      Number(a.compliant > 0) - Number(b.compliant > 0) ||
      compareByName(named(a), named(b)),
  );
  return { today, summary: summariseTasks(counted, today), buildings };
}

/** Tasks whose dates do not follow from their lines, and gaps in the numbers of tasks. */
export async function problemsOfTasks(sql: Sql): Promise<string[]> {
  const problems: string[] = [];
  const lines = await sql<(Parameters<typeof recordOf>[0][number] & { taskId: string })[]>`
    select id, task_id as "taskId", kind, day::text, occurrence, grid_day::text as "gridDay", due::text, of,
      stated::text, last_done::text as "lastDone", frequency, early, grace
    from task_lines order by task_id, position`;
  const byTask = new Map<string, (typeof lines)[number][]>();
  for (const line of lines) byTask.set(line.taskId, [...(byTask.get(line.taskId) ?? []), line]);
  for (const task of await readTasks(sql, { role: 'admin', buildings: [] })) {
    // A task that a check satisfies is judged by the log of the check.
    if (task.check !== null) continue;
    const { dates, completion, mark } = readRecord(recordOf(byTask.get(task.id) ?? []));
    const { anchor, gridDay, due, coveredUntil, completedOn, markedOn, completionId, markId } = task;
    const told = JSON.stringify([
      ...[anchor, gridDay, due, coveredUntil, completedOn, markedOn],
      ...[completionId, markId],
    ]);
    const true_ = JSON.stringify([
      ...[dates.anchor, dates.gridDay, dates.due, dates.coveredUntil, dates.completedOn, dates.markedOn],
      ...[completion, mark],
    ]);
    if (told !== true_) problems.push(`${task.taskNumber} says ${told}, and its record ${true_}`);
  }
  const gaps = await sql<{ code: string; tasks: number; value: number }[]>`
    select b.code, count(*)::int as tasks, c.value from tasks t join buildings b on b.id = t.location_id
      join counters c on c.building_id = b.id and c.kind = 'task'
    group by b.code, c.value having count(*) <> c.value`;
  for (const { code, tasks, value } of gaps) problems.push(`${code} has ${tasks} tasks and counts ${value}`);
  return problems;
}
