import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Issue } from '#shared/features/issues/issues.ts';
import type { Colleague } from '#shared/features/users/users.ts';
import { actorLabel } from '#shared/text/names.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { api } from '../../../lib/trpc/trpc.ts';
import { useHighlight } from '../../../live/hooks/use-highlight.ts';

const KEPT_MS = 5 * 60_000;
const NO_COLLEAGUES: readonly Colleague[] = [];

/** Returns "Changed by … just now" while the issue is highlighted; undefined otherwise. */
export function useChangedBy(issue: Issue): string | undefined {
  const glow = useHighlight('issue', issue.id);
  const queryClient = useQueryClient();
  const mayAsk = usePermissions().can('edit_building_issues');
  const known = glow === undefined ? undefined : nameIn(issue, glow.by);
  const [asked, setAsked] = useState<{ id: string; name: string }>();
  const unknown = glow !== undefined && known === null && mayAsk ? glow.by : null;

  // Fetched only while a card is highlighted: hundreds of cards with a query each would make scrolling slow.
  useEffect(() => {
    if (unknown === null) return;
    let here = true;
    void nameOf(queryClient, issue.buildingId, unknown).then((name) => {
      if (here && name !== undefined) setAsked({ id: unknown, name });
    });
    return () => {
      here = false;
    };
  }, [unknown, queryClient, issue.buildingId]);

  if (glow === undefined) return undefined;
  const name = known ?? (asked !== undefined && asked.id === glow.by ? asked.name : 'someone else');
  return `Changed by ${actorLabel(name, glow.apiKeyName)} just now`;
}

/** Returns the people of a building who can be assigned. */
export function useColleagues(buildingId: string, enabled: boolean): readonly Colleague[] {
  const { data } = useQuery({ ...colleaguesOf(buildingId), enabled });
  return data ?? NO_COLLEAGUES;
}

function colleaguesOf(buildingId: string) {
  return queryOptions({
    queryKey: ['colleagues', buildingId],
    queryFn: ({ signal }) => api.issues.assignees.query({ buildingId }, { signal }),
    staleTime: KEPT_MS,
  });
}

/**
 * Resolves with undefined when the person does not belong to the building or the query fails; the card then shows no
 * name.
 */
async function nameOf(client: QueryClient, buildingId: string, id: string): Promise<string | undefined> {
  const people = await client.fetchQuery(colleaguesOf(buildingId)).catch(() => NO_COLLEAGUES);
  return people.find((person) => person.id === id)?.name;
}

function nameIn(issue: Issue, person: string | null): string | null {
  if (person === null) return 'Lintel';
  if (person === issue.assignedTo) return issue.assignedToName;
  return person === issue.reportedBy ? issue.reportedByName : null;
}
