import { and, isNotNull, isNull } from 'drizzle-orm';
import { isAnyOf } from '#db/is-any-of.ts';
import { checkSchedules } from '#db/schema/checks/schedules.ts';
import { tasks } from '#db/schema/tasks.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Command } from '../../kernel/commands.ts';
import { judgePresentPeriods } from '../check-periods/present-periods.writes.ts';
import { judgeAllCheckTasks, judgeCheckTasks, lockChecks } from './tasks.writes.ts';

// After a change of what a building's checks require, their present periods are judged again, and then the tasks that the
// checks satisfy. The caller holds the lock of the building's log (`lockChecks`).

/** Call it after the schedule of a kind has changed. */
export async function judgeCheck(command: Command, buildingId: string, kind: CheckKind): Promise<void> {
  await judgePresentPeriods(command, buildingId, kind);
  await judgeCheckTasks(command, buildingId, kind);
}

/** Call it after an asset was added, changed, retired or restored. */
export async function judgeChecks(command: Command, buildingId: string): Promise<void> {
  await judgePresentPeriods(command, buildingId);
  await judgeAllCheckTasks(command, buildingId);
}

/**
 * Like `judgeChecks`, for many buildings; few of them have a record, or a task that a check satisfies. Takes the locks itself, in
 * the order of ids, so that two calls cannot deadlock.
 */
export async function judgeChecksIn(command: Command, buildingIds: readonly string[]): Promise<void> {
  const { tx } = command;
  const withTask = await tx
    .selectDistinct({ id: tasks.buildingId })
    .from(tasks)
    .where(and(isAnyOf(tasks.buildingId, buildingIds), isNotNull(tasks.check), isNull(tasks.retiredAt)));
  const withRecord = await tx
    .selectDistinct({ id: checkSchedules.buildingId })
    .from(checkSchedules)
    .where(isAnyOf(checkSchedules.buildingId, buildingIds));
  for (const id of [...new Set([...withTask, ...withRecord].map((row) => row.id))].sort()) {
    await lockChecks(command, id);
    await judgeChecks(command, id);
  }
}
