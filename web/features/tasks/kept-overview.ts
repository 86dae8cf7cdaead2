import { useEffect, useMemo } from 'react';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import type { TaskSummary } from '#shared/features/tasks/task-schedule.ts';
import type { TaskOverview } from '#shared/features/tasks/tasks.ts';
import { type ServerOrCopy, useServerOrCopy } from '../../lib/server-or-copy.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { useOfflineCopy, useSaveOfflineCopy } from '../../offline/use-offline-copy.ts';
import { taskOverview } from './tasks.live.ts';

const COPY = 'tasks.overview';
/** Maximum number of rows in a copy; the worst buildings are first. */
const KEPT_SITES_MAX = 500;

/** An overview, and the number of all its buildings; a copy contains rows only of the worst buildings. */
export type KeptOverview = { overview: TaskOverview; sites: number };

const EVERYTHING = {};

/**
 * Returns the overview of all buildings from the server, or this device's copy until the server answers.
 * @param mine the person's present buildings; other buildings are removed from the copy
 */
export function useTaskOverview(
  mine: readonly BuildingOption[] | undefined,
  options: { enabled: boolean },
): ServerOrCopy<KeptOverview> {
  const live = useLiveQuery(taskOverview, EVERYTHING, options);
  const kept = useOfflineCopy<KeptOverview>(COPY);
  const keep = useSaveOfflineCopy();
  const { data } = live;

  useEffect(() => {
    if (data === undefined) return;
    const overview = { ...data, buildings: data.buildings.slice(0, KEPT_SITES_MAX) };
    void keep(COPY, { overview, sites: data.buildings.length } satisfies KeptOverview);
  }, [data, keep]);

  const value = useMemo(() => data && { overview: data, sites: data.buildings.length }, [data]);
  const copy = useMemo(() => {
    if (kept.value === undefined || mine === undefined) return undefined;
    return withoutLost(kept.value, new Set(mine.map(({ id }) => id)));
  }, [kept.value, mine]);
  const state = kept.state === 'kept' && copy === undefined ? 'none' : kept.state;
  return useServerOrCopy(live, value, { ...kept, state, value: copy });
}

/** Removes lost buildings and their figures from a copy. Figures of a lost building without a stored row stay: not known. */
function withoutLost({ overview, sites }: KeptOverview, mine: ReadonlySet<string>): KeptOverview {
  const lost = overview.buildings.filter(({ buildingId }) => !mine.has(buildingId));
  if (lost.length === 0) return { overview, sites };
  const buildings = overview.buildings.filter(({ buildingId }) => mine.has(buildingId));
  const summary = { ...overview.summary };
  for (const row of lost) for (const figure of FIGURES) summary[figure] -= row[figure];
  return { overview: { ...overview, summary, buildings }, sites: sites - lost.length };
}

const FIGURES = [
  'compliant',
  'nonCompliant',
  'overdue',
  'dueThisWeek',
] as const satisfies (keyof TaskSummary)[];
