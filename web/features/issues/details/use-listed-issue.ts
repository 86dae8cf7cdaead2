import type { Issue } from '#shared/features/issues/issues.ts';
import { useCachedValues } from '../../../live/hooks/use-cached-values.ts';
import { issueList } from '../issues.live.ts';

/** Returns the issue from a cached list, to show it until it has loaded or while the server cannot be reached. */
export function useListedIssue(id: string): Issue | undefined {
  const rows = useCachedValues(issueList).flatMap((page) => page.rows.find((row) => row.id === id) ?? []);
  return rows.sort((a, b) => b.version - a.version)[0];
}
