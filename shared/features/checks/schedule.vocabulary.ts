import { type Due, dueOf, type Period, periodOf } from '../../check-periods.ts';
import { formatDay } from '../../dates.ts';
import { CADENCE_LABELS, CHECK_VOCABULARY, type CheckKind } from './kinds.vocabulary.ts';

// The schedules of checks at a site. Without any step, a check is due once in each of its periods.

/**
 * One step of a schedule: whether a kind is due at a site from a day on, and on how many days of each week or month.
 */
export type ScheduleStep = {
  from: string;
  isDue: boolean;
  times: number;
  /** The day since which the kind has been due without a break; null if it was always due. */
  dueSince: string | null;
};

/** The step that applies on a day, from steps in their order; undefined if none applies yet. */
export function stepInForce(steps: readonly ScheduleStep[], day: string): ScheduleStep | undefined {
  return steps.findLast(({ from }) => from <= day);
}

/**
 * Whether a kind is due in a period. The step at the period's end decides, so that a past period is never judged again.
 */
export function isDueIn(steps: readonly ScheduleStep[], period: Period): boolean {
  return stepInForce(steps, period.end)?.isDue ?? true;
}

/** Whether a site must have a record of a period: its checks had started by the period's end, and the kind was due. */
export function isExpectedIn(
  { startsOn, steps }: { startsOn: string; steps: readonly ScheduleStep[] },
  period: Period,
): boolean {
  return period.end >= startsOn && isDueIn(steps, period);
}

/** The number of days in a period on which the check is due, by the step at the period's end. */
export function timesIn(steps: readonly ScheduleStep[], period: Period): number {
  const step = stepInForce(steps, period.end);
  return step?.isDue === true ? step.times : 1;
}

/** The choices for the number of days in a period at a site. */
export function timesAllowed(kind: CheckKind, healthcare: boolean): readonly number[] {
  const { healthcareTimes } = CHECK_VOCABULARY[kind];
  return healthcare && healthcareTimes !== undefined ? [1, healthcareTimes] : [1];
}

/** "Weekly", "Twice weekly". */
export function formatTimes(kind: CheckKind, times: number): string {
  const label = CADENCE_LABELS[CHECK_VOCABULARY[kind].cadence];
  return times === 1 ? label : `Twice ${label.toLowerCase()}`;
}

/** "Outlet flushing: twice weekly, from Nov 20, 2026". */
export function formatStep(
  kind: CheckKind,
  step: Pick<ScheduleStep, 'isDue' | 'times'>,
  from?: string,
): string {
  const what = step.isDue ? formatTimes(kind, step.times).toLowerCase() : 'not due';
  return `${CHECK_VOCABULARY[kind].title}: ${what}${from === undefined ? '' : `, from ${formatDay(from)}`}`;
}

/** The days from which `scheduleStatus` computes whether a kind is due at a site. */
export type CompletedDays = {
  /** The day on which the site was added. */
  addedOn: string;
  firstDone: string | null;
  /** A day of the newest period that is complete (ruling T23); null if none is. */
  lastComplete: string | null;
};

/** Whether a kind is due at a site, and by when. The server repeats this rule in SQL, for the cards of many sites. */
export function scheduleStatus(
  kind: CheckKind,
  { addedOn, firstDone, lastComplete }: CompletedDays,
  steps: readonly ScheduleStep[],
  today: string,
): Due {
  const { cadence } = CHECK_VOCABULARY[kind];
  const step = stepInForce(steps, periodOf(cadence, today).end);
  const startsOn = firstDone !== null && firstDone < addedOn ? firstDone : addedOn;
  const due = dueOf(cadence, { startsOn, lastDone: lastComplete, since: step?.dueSince ?? null }, today);
  return step === undefined || step.isDue ? due : { nextDue: due.nextDue, isDue: false, isOverdue: false };
}
