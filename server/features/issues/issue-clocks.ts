import {
  applyIssueEdit,
  type DueDates,
  type EditedIssue,
  endedPause,
  movesDueDates,
} from '#shared/features/issues/issue-edit.ts';
import type { Issue, IssueEdit } from '#shared/features/issues/issues.ts';
import {
  addPause,
  dueAt,
  NEVER_PAUSED,
  type PausedTime,
  type SlaTarget,
  type WorkingCalendar,
} from '#shared/features/issues/sla.ts';

/** The response target and the working calendar from which due dates are computed. */
export type SlaTerms = { target: SlaTarget | undefined; calendar: WorkingCalendar };
/** The same with the pauses so far. */
export type SlaTermsWithPause = SlaTerms & { paused: PausedTime };

/** Computes when a new issue has to be responded to and resolved. */
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
 * Computes the columns that an edit of a locked issue writes.
 * @param readTerms called only if a due date moves
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
