import { eq } from 'drizzle-orm';
import { buildingIssues } from '#db/schema/issues.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { ISSUE_PRIORITIES, type IssuePriority } from '#shared/features/issues/issues.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Command } from '../../kernel/commands.ts';
import { firstErrorInOrder } from '../../kernel/concurrency/first-error-in-order.ts';
import { nextCounterValue } from '../../kernel/counters.ts';
import { readSlaTarget, readWorkingCalendar } from '../../kernel/settings.ts';
import { changesBetween } from './issue-changes.ts';
import { editedColumns, initialDueDates, type SlaTerms } from './issue-clocks.ts';
import { loadWrittenIssue, selectIssues } from './issue-row.ts';
import { formatReference, ISSUE_COUNTER } from './issues.queries.ts';

// Issue operations for commands of other features, within their transaction.

/** Returns the next number of a building's issues. The counter stays locked until the end of the command. */
export function nextNumber(command: Command, buildingId: string): Promise<number> {
  return nextCounterValue(command, buildingId, ISSUE_COUNTER);
}

/** Reads the response target of a building for a priority, and the working calendar. */
export async function readSlaTerms(
  { tx }: Pick<Command, 'tx'>,
  buildingId: string,
  priority: IssuePriority,
  from: string,
): Promise<SlaTerms> {
  const [target, calendar] = await firstErrorInOrder(
    readSlaTarget(tx, buildingId, priority),
    readWorkingCalendar(tx, from),
  );
  return { target, calendar };
}

type BuildingRef = { id: string; code: string };

/** Opens an issue for a failed check. */
export async function raiseIssue(
  command: Command,
  building: BuildingRef,
  raised: { title: string; description: string; priority: IssuePriority },
): Promise<Issue> {
  const { tx, now } = command;
  const promised = await readSlaTerms(command, building.id, raised.priority, now);
  const id = uuidv7();
  await tx.insert(buildingIssues).values({
    ...raised,
    id,
    referenceNumber: formatReference(building.code, await nextNumber(command, building.id)),
    buildingId: building.id,
    source: 'check',
    createdAt: now,
    updatedAt: now,
    ...initialDueDates(now, promised),
  });
  const issue = await loadWrittenIssue(tx, id);
  await command.record({ op: 'put', entity: 'issue', row: issue, changes: null });
  return issue;
}

/** Adds a further failure to an open issue, and raises its priority if the failure's is higher. */
export async function joinIssue(
  command: Command,
  building: BuildingRef,
  joined: { id: string; priority: IssuePriority },
): Promise<Issue> {
  const { tx, now } = command;
  const [before] = await selectIssues(tx)
    .where(eq(buildingIssues.id, joined.id))
    .for('update', { of: buildingIssues });
  if (before === undefined) throw new Error(`issue ${joined.id} is gone`);
  if (ISSUE_PRIORITIES.indexOf(joined.priority) <= ISSUE_PRIORITIES.indexOf(before.priority)) return before;
  const [{ ms, workingMs } = { ms: 0, workingMs: 0 }] = await tx
    .select({ ms: buildingIssues.pausedMs, workingMs: buildingIssues.pausedWorkingMs })
    .from(buildingIssues)
    .where(eq(buildingIssues.id, before.id));
  const columns = await editedColumns(before, { priority: joined.priority }, now, async () => ({
    ...(await readSlaTerms(command, building.id, joined.priority, before.createdAt)),
    paused: { ms, workingMs },
  }));
  await tx
    .update(buildingIssues)
    .set({ ...columns, version: before.version + 1 })
    .where(eq(buildingIssues.id, before.id));
  const issue = await loadWrittenIssue(tx, before.id);
  await command.record({ op: 'put', entity: 'issue', row: issue, changes: changesBetween(before, issue) });
  return issue;
}
