import type { Issue } from '#shared/features/issues/issues.ts';

/** Who reported an issue, as lists show it. */
export function reporterOf(issue: Issue): string {
  return issue.reportedByName ?? (issue.source === 'check' ? 'A safety check' : '');
}
