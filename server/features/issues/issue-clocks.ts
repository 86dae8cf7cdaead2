import {
  applyIssueEdit,
  type DueDates,
  type EditedIssue,
  endedPause,
  movesDueDates,
} from '#shared/features/issue-edit.ts';
import type { Issue, IssueEdit } from '#shared/features/issues.ts';
import {
  addPause,
  dueAt,
  NEVER_PAUSED,
  type PausedTime,
  type SlaTarget,
  type WorkingCalendar,
} from '#shared/sla.ts';

/** The response target and the working time from which a new issue's due dates are worked out. */
export type SlaTerms = { target: SlaTarget | undefined; calendar: WorkingCalendar };
/** The same of an issue that may have been paused before. */
export type SlaTermsWithPause = SlaTerms & { paused: PausedTime };

/** When a new issue has to be answered and solved. */
export function initialDueDates(createdAt: string, terms: SlaTerms): DueDates {
  return dueDates(createdAt, { ...terms, paused: NEVER_PAUSED });
}

function dueDates(createdAt: string, { target, calendar, paused }: SlaTermsWithPause): DueDates {
  if (target === undefined) return { respondDueAt: null, resolveDueAt: null };
  const { unit } = target;
  const due = (amount: number) =>
    new Date(dueAt(Date.parse(createdAt), { amount, unit, paused }, calendar)).toISOString();
  return { respondDueAt: due(target.respondAmount), resolveDueAt: due(target.resolveAmount) };
}

/**
 * The columns that an edit of a locked issue writes.
 * @param readTerms asked only where a due date moves
 */
export async function editedColumns(
  before: EditedIssue & Pick<Issue, 'createdAt'>,
  set: Partial<IssueEdit>,
  now: string,
  readTerms: () => Promise<SlaTermsWithPause>,
): Promise<Partial<EditedIssue> & { pausedMs?: number; pausedWorkingMs?: number }> {
  const keep = () => before;
  if (!movesDueDates(before, set, now)) return applyIssueEdit(before, set, now, keep);
  const terms = await readTerms();
  const ended = endedPause(before, set, now);
  const paused =
    ended === null
      ? terms.paused
      : addPause(terms.paused, Date.parse(ended.from), Date.parse(ended.to), terms.calendar);
  return {
    ...applyIssueEdit(before, set, now, () => dueDates(before.createdAt, { ...terms, paused })),
    pausedMs: paused.ms,
    pausedWorkingMs: paused.workingMs,
  };
}
