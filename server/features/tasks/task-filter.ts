import { and, eq, notInArray, type SQL, sql } from 'drizzle-orm';
import { tasks } from '#db/schema/tasks.ts';
import { addDays, addMonths } from '#shared/dates.ts';
import { FREQUENCIES } from '#shared/features/tasks/task-schedule.ts';
import type { TaskFilter } from '#shared/features/tasks/tasks.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { wantedText } from '#shared/text/search-text.ts';

// The same semantics as `task-schedule.ts` and `shared/features/tasks/task-filter.ts`, in SQL; integration tests compare them.

/** SQL conditions for the tasks that the cards count, on a day. */
export function judgedOn(today: string): { isCompliant: SQL; isOverdue: SQL; isDueThisWeek: SQL } {
  const isCompliant = sql`(${tasks.markedOn} is null and coalesce(${tasks.coveredUntil} >= ${today}::date, false))`;
  return {
    isCompliant,
    isOverdue: sql`(not ${isCompliant} and ${tasks.due} < ${today}::date)`,
    isDueThisWeek: dueBetween(today, addDays(today, 7)),
  };
}

function dueBetween(from: string, to: string): SQL {
  return sql`(${tasks.due} between ${from}::date and ${to}::date)`;
}

/** SQL condition that a filter lets a task through on a day. */
export function whereTaskFilter(filter: TaskFilter, today: string): SQL | undefined {
  const { buildingId, responsible } = filter;
  return and(
    buildingId === undefined ? undefined : eq(tasks.buildingId, buildingId),
    whereStatus(filter, today),
    whereRange(filter, today),
    responsible === undefined ? undefined : eq(tasks.responsibleKey, nameKey(responsible)),
    whereFrequency(filter),
    whereText(filter),
  );
}

function whereStatus({ status }: TaskFilter, today: string): SQL | undefined {
  if (status === undefined) return undefined;
  const { isCompliant } = judgedOn(today);
  return status === 'compliant' ? isCompliant : sql`not ${isCompliant}`;
}

function whereRange({ range = 'all' }: TaskFilter, today: string): SQL | undefined {
  switch (range) {
    case 'all':
      return undefined;
    case 'week':
      return judgedOn(today).isDueThisWeek;
    case 'month':
      return dueBetween(today, addMonths(today, 1));
    case 'overdue':
      return judgedOn(today).isOverdue;
  }
}

/** `other` matches every stored text that is not a name: a frequency with a name is always stored by its name. */
function whereFrequency({ frequency }: TaskFilter): SQL | undefined {
  if (frequency === undefined) return undefined;
  return frequency === 'other'
    ? notInArray(tasks.frequency, [...FREQUENCIES])
    : eq(tasks.frequency, frequency);
}

function whereText({ search }: TaskFilter): SQL | undefined {
  const wanted = wantedText(search);
  return wanted === '' ? undefined : sql`strpos(${tasks.searchText}, ${wanted}) > 0`;
}
