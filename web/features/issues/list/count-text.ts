import type { IssueCounts } from '#shared/features/issues/issues.ts';
import type { IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { COUNTED_MAX, formatAtLeast } from '#shared/text/counted.ts';

/** The number of issues that match the filters, of the total; without filters only the total. */
export function countText({ matching, total, leastOf }: IssueCounts, narrowed: boolean): string {
  if (!narrowed) return messages.issues.count(total);
  return messages.issues.showing(leastOf.length === 0 ? matching : formatAtLeast(COUNTED_MAX), total);
}

/** The number of matching issues with a status. */
export function countOf({ byStatus, leastOf }: IssueCounts, status: IssueStatus): string {
  return leastOf.includes(status) ? formatAtLeast(byStatus[status]) : String(byStatus[status]);
}
