import type { BuildingPulse, PulseCursor, PulseSummary } from '#shared/features/pulse/pulse.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import type { LiveChange } from '../../live/types.ts';

type Counted = Pick<PulseSummary, 'openIssues' | 'overdueIssues' | 'checks' | 'tasks' | 'weeks'>;

/**
 * Applies a change of a building's figures to the sums. The sums contain no rows, so the building's figures before the
 * change are read from the event. When a building is added or removed, no event has its figures: the sums are fetched
 * again.
 */
export function foldSummary(
  summary: PulseSummary,
  event: LiveChange<'buildingPulse' | 'place'>,
): PulseSummary | 'refetch' {
  if (event.entity === 'place') return comesOrGoes(event) ? 'refetch' : summary;
  if (event.op === 'del' || event.changes === null) return 'refetch';
  const { row, changes } = event;
  const before = beforeOf(row, changes);
  if (!isOfOneWeek(summary, row) || !isOfOneWeek(summary, before)) return 'refetch';
  return added(added(summary, row, 1), before, -1);
}

/** Returns whether a building was added, deleted, archived or restored. */
export function comesOrGoes(event: LiveChange<'place'>): boolean {
  return event.op === 'del' || event.changes === null || 'archivedAt' in event.changes;
}

function beforeOf(row: BuildingPulse, changes: Record<string, [from: unknown, to: unknown]>): BuildingPulse {
  const before = Object.fromEntries(Object.entries(changes).map(([field, [from]]) => [field, from]));
  // The cast: the server writes the earlier value of the same field as `from`, which the compiler cannot know.
  return { ...row, ...(before as Partial<BuildingPulse>) };
}

function isOfOneWeek(a: Pick<Counted, 'weeks'>, b: Pick<Counted, 'weeks'>): boolean {
  return a.weeks.last === b.weeks.last;
}

function added<Sum extends Counted>(sum: Sum, figures: Counted, sign: 1 | -1): Sum {
  const { checks } = sum;
  return {
    ...sum,
    openIssues: addFields(sum.openIssues, figures.openIssues, sign),
    overdueIssues: sum.overdueIssues + sign * figures.overdueIssues,
    checks: { ...addFields(checks, figures.checks, sign), day: laterOf(checks.day, figures.checks.day) },
    tasks: addFields(sum.tasks, figures.tasks, sign),
    weeks: {
      last: sum.weeks.last,
      opened: addEach(sum.weeks.opened, figures.weeks.opened, sign),
      closed: addEach(sum.weeks.closed, figures.weeks.closed, sign),
    },
  };
}

/** Adds or subtracts the numeric fields of `others`. */
function addFields<Fields extends object>(sum: Fields, others: Fields, sign: 1 | -1): Fields {
  const fields = Object.entries(others).flatMap(([name, value]) => {
    const before: unknown = Reflect.get(sum, name);
    return typeof value === 'number' && typeof before === 'number' ? [[name, before + sign * value]] : [];
  });
  return { ...sum, ...Object.fromEntries(fields) };
}

function addEach(sums: readonly number[], others: readonly number[], sign: 1 | -1): number[] {
  return sums.map((sum, at) => sum + sign * (others[at] ?? 0));
}

const laterOf = (a: string, b: string) => (a > b ? a : b);

/**
 * The order of the list, as on the server: the most overdue tasks first, then the most non-compliant tasks, then buildings
 * without a compliant task, then by name.
 */
export function worstFirst(a: Ranked, b: Ranked): number {
  if (a.overdue !== b.overdue) return b.overdue - a.overdue;
  if (a.nonCompliant !== b.nonCompliant) return b.nonCompliant - a.nonCompliant;
  if (a.noneCompliant !== b.noneCompliant) return a.noneCompliant ? -1 : 1;
  return compareByName(named(a), named(b));
}
type Ranked = PulseCursor;
// A cursor of an older version has no name.
const named = ({ id, name = '' }: Ranked) => ({ id, name });

/** Returns the values by which {@link worstFirst} orders a building. */
export function rankOf({ id, buildingName, tasks }: BuildingPulse): Ranked {
  const { overdue, nonCompliant, compliant } = tasks;
  return { id, name: buildingName, overdue, nonCompliant, noneCompliant: compliant === 0 };
}
