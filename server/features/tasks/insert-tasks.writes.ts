import { sql } from 'drizzle-orm';
import { taskLines, tasks } from '#db/schema/tasks.ts';
import { storedRecurrence } from '#shared/features/tasks/task-frequency.ts';
import { markTask, newTaskDates, type Recurrence } from '#shared/features/tasks/task-schedule.ts';
import { formatTaskNumber } from '#shared/features/tasks/tasks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Command } from '../../kernel/commands.ts';
import { reserveCounterValues } from '../../kernel/counters.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { signatureOf } from './task-lines.ts';
import { TASK_COUNTER } from './tasks.queries.ts';

/** The values of one of many new tasks, which people complete. */
export type AddedTask = {
  id: string;
  building: { id: string; code: string };
  complianceSystem: string;
  taskDescription: string;
  recurrence: Recurrence;
  responsiblePerson: string;
  lastDone: string | null;
  stated: string | null;
  /** Why the task is not compliant today; null unless it is marked. */
  markReason: string | null;
};
type NumberedTask = AddedTask & { taskNumber: string };

/**
 * Takes the numbers of many tasks, in the given order within each building. Locks the counters, so that no other command
 * adds a task to these buildings until the end of this one.
 */
export async function numberTasks(command: Command, added: readonly AddedTask[]): Promise<NumberedTask[]> {
  const counts = new Map<string, number>();
  for (const { building } of added) counts.set(building.id, (counts.get(building.id) ?? 0) + 1);
  const next = await reserveCounterValues(command, TASK_COUNTER, counts);
  return added.map((task) => {
    const number = next.get(task.building.id) ?? 0;
    next.set(task.building.id, number + 1);
    return { ...task, taskNumber: formatTaskNumber(task.building.code, number) };
  });
}

/** Inserts tasks, each with the first lines of its record. Records no event; the caller does. */
export async function insertTasks(
  command: Command,
  numbered: readonly NumberedTask[],
  today: string,
): Promise<void> {
  const { tx, now } = command;
  const { recordedBy, recordedByName } = signatureOf(command);
  const made = numbered.map((task) => rowOf(task, today, recordedName(command.actor)));
  const rows = JSON.stringify(made);
  // One JSON parameter, because building a statement with thousands of parameters blocks the event loop.
  await tx.execute(sql`
    insert into ${tasks} (id, task_number, location_id, compliance_system, task_description, frequency, early, grace,
      responsible_person, anchor, grid_day, due, covered_until, completed_on, completed_by_name, completion_id,
      marked_on, mark_reason, mark_id, occurrence, created_at, updated_at)
    select id, task_number, location_id, compliance_system, task_description, frequency, early, grace,
      responsible_person, anchor, grid_day, due, covered_until, completed_on, completed_by_name, completion_id,
      marked_on, mark_reason, mark_id, occurrence, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${rows}::text::json) as r (id uuid, task_number text, location_id uuid,
      compliance_system text, task_description text, frequency text, early text, grace text, responsible_person text,
      anchor date, grid_day date, due date, covered_until date, completed_on date, completed_by_name text,
      completion_id uuid, marked_on date, mark_reason text, mark_id uuid, occurrence integer)`);
  await tx.execute(sql`
    insert into ${taskLines} (id, task_id, location_id, position, kind, day, last_done, stated, frequency, early, grace,
      recorded_by, recorded_by_name, recorded_at)
    select id, id, location_id, 1, 'created', ${today}::date, last_done, stated, frequency, early, grace,
      ${recordedBy}::uuid, ${recordedByName}, ${now}::timestamptz
    from json_to_recordset(${rows}::text::json) as r (id uuid, location_id uuid, last_done date, stated date,
      frequency text, early text, grace text)`);
  if (made.every(({ mark_id }) => mark_id === null)) return;
  await tx.execute(sql`
    insert into ${taskLines} (id, task_id, location_id, position, kind, day, reason,
      recorded_by, recorded_by_name, recorded_at)
    select mark_id, id, location_id, 2, 'marked', marked_on, mark_reason,
      ${recordedBy}::uuid, ${recordedByName}, ${now}::timestamptz
    from json_to_recordset(${rows}::text::json) as r (id uuid, location_id uuid, marked_on date, mark_reason text,
      mark_id uuid) where mark_id is not null`);
}

// Keys are the names of the columns.
function rowOf({ recurrence, lastDone, stated, ...task }: NumberedTask, today: string, actor: string) {
  const first = newTaskDates(recurrence, { createdOn: today, lastDone, stated });
  const marked = task.markReason !== null;
  const dates = marked ? markTask(first, today) : first;
  const done = dates.completedOn !== null;
  return {
    ...storedRecurrence(recurrence),
    id: task.id,
    task_number: task.taskNumber,
    location_id: task.building.id,
    compliance_system: task.complianceSystem,
    task_description: task.taskDescription,
    responsible_person: task.responsiblePerson,
    anchor: dates.anchor,
    grid_day: dates.gridDay,
    due: dates.due,
    covered_until: dates.coveredUntil,
    completed_on: dates.completedOn,
    completed_by_name: done ? actor : null,
    completion_id: done ? task.id : null,
    marked_on: dates.markedOn,
    mark_reason: task.markReason,
    mark_id: marked ? uuidv7() : null,
    occurrence: marked ? 2 : 1,
    last_done: lastDone,
    stated,
  };
}
