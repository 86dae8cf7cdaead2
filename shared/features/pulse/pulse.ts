import { z } from 'zod';
import { nameCursorSchema } from '../locations/locations.inputs.ts';

/** The most rows of a page of `pulse.list`. */
export const PULSE_PAGE_MAX = 500;
/** The number of weeks for which the pulse counts issues, including the present week. */
export const PULSE_WEEKS = 12;

const count = z.number().int();
const countsByWeek = z.array(count).length(PULSE_WEEKS);

/**
 * The figures of a building that is not archived. A transaction that changes a counted row also updates the figures; changes
 * that only time causes follow within seconds. Days and weeks are those of the organisation's time zone. Each change has an
 * event, except when a building is added, archived or restored: then the building's own event is enough.
 */
export const buildingPulseSchema = z.object({
  /** The building's id. */
  id: z.uuid(),
  buildingId: z.uuid(),
  buildingName: z.string(),
  /** Issues that are neither resolved nor closed, by priority. */
  openIssues: z.object({ low: count, medium: count, high: count, critical: count }),
  /** The number of open issues that were created 30 days ago or earlier, as in the filter Overdue. */
  overdueIssues: count,
  /**
   * The kinds of checks that are scheduled for the building in their present week or month: still to be done in time
   * (`due`), done, or still to be done after a whole period without a record (`missed`). Each kind counts in one of the three.
   */
  checks: z.object({ day: z.iso.date(), due: count, done: count, missed: count }),
  /** Tasks in use, counted as on the cards of the compliance screen. An overdue task is also non-compliant. */
  tasks: z.object({ compliant: count, nonCompliant: count, overdue: count, dueThisWeek: count }),
  /** Issues opened and closed in each of the last weeks, the oldest first; `last` is the Monday of the last one. */
  weeks: z.object({ last: z.iso.date(), opened: countsByWeek, closed: countsByWeek }),
  version: count,
  updatedAt: z.iso.datetime(),
});
export type BuildingPulse = z.infer<typeof buildingPulseSchema>;

/** The figures for people who may not see issues (ruling A16): counts of issues are zero, and their screens omit them. */
export function withoutIssues<F extends Pick<BuildingPulse, 'openIssues' | 'overdueIssues' | 'weeks'>>(
  figures: F,
): F {
  return {
    ...figures,
    openIssues: { low: 0, medium: 0, high: 0, critical: 0 },
    overdueIssues: 0,
    weeks: { last: figures.weeks.last, opened: noneByWeek(), closed: noneByWeek() },
  };
}

const noneByWeek = () => Array.from({ length: PULSE_WEEKS }, () => 0);

/** The last row of the page before: the figures that decide the order, and the building's name and id. */
export const pulseCursorSchema = z.strictObject({
  overdue: count,
  nonCompliant: count,
  /** Whether none of its tasks is compliant; an open page of the previous version does not send this. */
  noneCompliant: z.boolean().default(false),
  /** The sort key of the building's name; an open page of the previous version does not send this. */
  name: nameCursorSchema.shape.name.optional(),
  id: z.uuid(),
});
export type PulseCursor = z.infer<typeof pulseCursorSchema>;

/** Input of `pulse.list`. */
export const listPulsesInput = z.strictObject({
  cursor: pulseCursorSchema.optional(),
  limit: z.number().int().min(1).max(PULSE_PAGE_MAX).default(100),
});

/**
 * A page of the buildings that a person may see: the most overdue tasks first, then the most non-compliant tasks, then
 * buildings without a compliant task, because no work is done there, then by name.
 */
export type PulsePage = { rows: BuildingPulse[]; nextCursor: PulseCursor | null };

/** The sums over all buildings that a person may see. */
export type PulseSummary = Pick<
  BuildingPulse,
  'openIssues' | 'overdueIssues' | 'checks' | 'tasks' | 'weeks'
> & {
  buildings: number;
};

/** Input of `pulse.get`. */
export const pulseInput = z.strictObject({ buildingId: z.uuid() });

/**
 * The counts on the cards of the dashboard that the pulse does not have, over all that a person may see. No events report
 * changes of these counts: screens fetch them again after a while.
 */
export type Upkeep = {
  /** Assets in use that had no visit within the interval of their frequency, or none at all; at most `COUNTED_MAX`. */
  assetsDue: number;
  assetsDueIsLeast: boolean;
  documents: { expired: number; expiresSoon: number };
  /** Active accounts; null for people who do not manage accounts. */
  people: number | null;
};
