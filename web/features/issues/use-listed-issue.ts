import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Issue, IssuePage } from '#shared/features/issues.ts';
import type { LiveEntry } from '../../live/join.ts';
import { issueList } from './issues.live.ts';

/** Returns the issue from a cached list, to show it until it has loaded or while the server cannot be reached. */
export function useListedIssue(id: string): Issue | undefined {
  const queryClient = useQueryClient();
  return useMemo(() => {
    const lists = queryClient.getQueriesData<LiveEntry<IssuePage>>({ queryKey: [issueList.name] });
    const rows = lists.flatMap(([, entry]) => entry?.value.rows.find((row) => row.id === id) ?? []);
    return rows.sort((a, b) => b.version - a.version)[0];
  }, [queryClient, id]);
}
