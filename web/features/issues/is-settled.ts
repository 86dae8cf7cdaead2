import type { Issue } from '#shared/features/issues/issues.ts';
import { api } from '../../lib/trpc/trpc.ts';

/**
 * Returns whether the failed check that raised the issue has passed a retest. True as well when the server cannot be
 * asked, so that closing is not blocked.
 */
export async function isSettled(issue: Issue): Promise<boolean> {
  if (issue.source !== 'check') return true;
  try {
    return (await api.checks.ofIssue.query({ issueId: issue.id })).data.settled;
  } catch {
    return true;
  }
}
