import { DONE_STATUSES } from '#shared/features/issue-filter.ts';
import type { Issue, IssueEdit } from '#shared/features/issues.ts';
import type { IssueStatus } from '#shared/features/issues.words.ts';
import {
  addPause,
  dueAt,
  NEVER_PAUSED,
  type Paused,
  type SlaTarget,
  type WorkingCalendar,
} from '#shared/sla.ts';

/** What follows from an edit without anybody asking for it. */
export type Clocks = Pick<
  Issue,
  'resolvedAt' | 'respondedAt' | 'respondDueAt' | 'resolveDueAt' | 'pauseReason' | 'pausedAt'
> & {
  /** Only where the due dates were worked out anew. */
  pausedMs?: number;
  pausedWorkingMs?: number;
};
type ClockedIssue = Omit<Clocks, 'pausedMs' | 'pausedWorkingMs'> &
  Pick<Issue, 'status' | 'priority' | 'assignedTo' | 'createdAt'>;
type DueDates = Pick<Clocks, 'respondDueAt' | 'resolveDueAt'>;

/** What a new issue's due dates are worked out from. */
export type Promised = { target: SlaTarget | undefined; calendar: WorkingCalendar };
/** And those of one that may have been paused before. */
export type Reckoning = Promised & { paused: Paused };

export function isDone(status: IssueStatus): boolean {
  return DONE_STATUSES.includes(status);
}

/** When a new issue has to be answered and solved. */
export function firstDueDates(createdAt: string, promised: Promised): DueDates {
  return dueDates(createdAt, { ...promised, paused: NEVER_PAUSED });
}

function dueDates(createdAt: string, { target, calendar, paused }: Reckoning): DueDates {
  if (target === undefined) return { respondDueAt: null, resolveDueAt: null };
  const { unit } = target;
  const due = (amount: number) =>
    new Date(dueAt(Date.parse(createdAt), { amount, unit, paused }, calendar)).toISOString();
  return { respondDueAt: due(target.respondAmount), resolveDueAt: due(target.resolveAmount) };
}

/**
 * Everything that an edit moves besides the fields it names (rulings I1, F6, A21).
 * @param before the row as it was
 * @param after what the edit makes of the fields that people change
 * @param reckon asked only where a due date moves
 */
export async function turnClocks(
  before: ClockedIssue,
  after: Pick<IssueEdit, 'status' | 'priority' | 'assignedTo' | 'pauseReason'>,
  now: string,
  reckon: () => Promise<Reckoning>,
): Promise<Clocks> {
  const [wasDone, done] = [isDone(before.status), isDone(after.status)];
  const resolvedAt = done ? (before.resolvedAt ?? now) : null;
  const leftOpen = before.status === 'open' && after.status !== 'open';
  const firstGiven = before.assignedTo === null && after.assignedTo !== null;
  const respondedAt = before.respondedAt ?? (leftOpen || firstGiven ? now : null);

  // What is done no longer waits for anything.
  const pauseReason = done ? null : after.pauseReason;
  const pausedAt = pauseReason === null ? null : (before.pausedAt ?? now);
  const pauseEnded = before.pausedAt !== null && pausedAt === null;
  const clocks: Clocks = {
    resolvedAt,
    respondedAt,
    pauseReason,
    pausedAt,
    respondDueAt: before.respondDueAt,
    resolveDueAt: before.resolveDueAt,
  };
  const reopened = wasDone && !done;
  if (before.priority === after.priority && !pauseEnded && !reopened) return clocks;

  const reckoning = await reckon();
  const paused =
    pauseEnded && before.pausedAt !== null
      ? addPause(reckoning.paused, Date.parse(before.pausedAt), Date.parse(now), reckoning.calendar)
      : reckoning.paused;
  const due = dueDates(before.createdAt, { ...reckoning, paused });
  return {
    ...clocks,
    pausedMs: paused.ms,
    pausedWorkingMs: paused.workingMs,
    // A clock that has stopped was judged by the time it had.
    respondDueAt: before.respondedAt === null ? due.respondDueAt : before.respondDueAt,
    resolveDueAt: before.resolvedAt === null || reopened ? due.resolveDueAt : before.resolveDueAt,
  };
}
