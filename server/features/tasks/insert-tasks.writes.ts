import { sql } from 'drizzle-orm';
import { taskLines, tasks } from '#db/schema/tasks.ts';
import { formatTaskNumber } from '#shared/features/tasks.vocabulary.ts';
import { fullName } from '#shared/names.ts';
import { storedRecurrence } from '#shared/task-frequency.ts';
import { newTaskDates, type Recurrence } from '#shared/task-schedule.ts';
import type { Command } from '../../kernel/commands.ts';
import { reserveCounterValues } from '../../kernel/counters.ts';
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
};
type NumberedTask = AddedTask & { taskNumber: string };

/**
 * Takes the numbers of many tasks, those of a building in the given order. Until the end of the command no other adds a
 * task to these buildings.
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

/** Inserts tasks, each with the first line of its record. Records no event; the caller does. */
export async function insertTasks(
  command: Command,
  numbered: readonly NumberedTask[],
  today: string,
): Promise<void> {
  const { tx, now } = command;
  const { recordedBy, recordedByName } = signatureOf(command);
  const rows = JSON.stringify(numbered.map((task) => rowOf(task, today, fullName(command.actor))));
  // One JSON parameter, because building a statement with thousands of parameters blocks the event loop.
  await tx.execute(sql`
    insert into ${tasks} (id, task_number, location_id, compliance_system, task_description, frequency, early, grace,
      responsible_person, anchor, grid_day, due, covered_until, completed_on, completed_by_name, completion_id,
      created_at, updated_at)
    select id, task_number, location_id, compliance_system, task_description, frequency, early, grace,
      responsible_person, anchor, grid_day, due, covered_until, completed_on, completed_by_name, completion_id,
      ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${rows}::text::json) as r (id uuid, task_number text, location_id uuid,
      compliance_system text, task_description text, frequency text, early text, grace text, responsible_person text,
      anchor date, grid_day date, due date, covered_until date, completed_on date, completed_by_name text,
      completion_id uuid)`);
  await tx.execute(sql`
    insert into ${taskLines} (id, task_id, location_id, position, kind, day, last_done, stated, frequency, early, grace,
      recorded_by, recorded_by_name, recorded_at)
    select id, id, location_id, 1, 'created', ${today}::date, last_done, stated, frequency, early, grace,
      ${recordedBy}::uuid, ${recordedByName}, ${now}::timestamptz
    from json_to_recordset(${rows}::text::json) as r (id uuid, location_id uuid, last_done date, stated date,
      frequency text, early text, grace text)`);
}

// Keys are the names of the columns.
function rowOf({ recurrence, lastDone, stated, ...task }: NumberedTask, today: string, actor: string) {
  const dates = newTaskDates(recurrence, { createdOn: today, lastDone, stated });
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
    last_done: lastDone,
    stated,
  };
}
