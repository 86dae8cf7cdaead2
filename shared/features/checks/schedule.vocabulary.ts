import { type Due, dueOf, type Period, periodOf } from '../../check-periods.ts';
import { formatDay } from '../../dates.ts';
import { CADENCE_LABELS, CHECK_VOCABULARY, type CheckKind } from './kinds.vocabulary.ts';

// When a kind of check is due at a site. Without any setting: once in each of its periods.

/** From a day on: whether a kind is due at a site, and on how many days of each week or month. */
export type ScheduleStep = {
  from: string;
  isDue: boolean;
  times: number;
  /** Since when it has been due without a break; null: always. */
  dueSince: string | null;
};

/** What holds on a day, of steps in their order; undefined where nobody has set anything for it. */
export function stepInForce(steps: readonly ScheduleStep[], day: string): ScheduleStep | undefined {
  return steps.findLast(({ from }) => from <= day);
}

/** A week or month goes by what holds at its end, so that one that is over is never judged anew. */
export function isDueIn(steps: readonly ScheduleStep[], period: Period): boolean {
  return stepInForce(steps, period.end)?.isDue ?? true;
}

/** On how many days of a week or month it has to be done, as its end says it. */
export function timesIn(steps: readonly ScheduleStep[], period: Period): number {
  const step = stepInForce(steps, period.end);
  return step?.isDue === true ? step.times : 1;
}

/** On how many days of each period it may be asked for at a site. */
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

/** On which days a kind was done at a site. */
export type CompletedDays = {
  /** The first day, or the one on which the site was added. */
  startsOn: string;
  lastDone: string | null;
  /** The last day but one. */
  doneBefore: string | null;
};

/** Where a kind stands at a site: the rule of the cards, which the server's statement says again for many sites. */
export function scheduleStatus(
  kind: CheckKind,
  done: CompletedDays,
  steps: readonly ScheduleStep[],
  today: string,
): Due {
  const { cadence } = CHECK_VOCABULARY[kind];
  const { startsOn, lastDone, doneBefore } = done;
  const step = stepInForce(steps, periodOf(cadence, today).end);
  const once = dueOf(cadence, { startsOn, lastDone, since: step?.dueSince ?? null }, today);
  if (step !== undefined && !step.isDue) return { nextDue: once.nextDue, isDue: false, isOverdue: false };
  if (step === undefined || step.times === 1) return once;
  const twice = dueOf(cadence, { startsOn, lastDone: doneBefore, since: step.from }, today);
  return {
    nextDue: [once.nextDue, twice.nextDue].sort()[0] ?? once.nextDue,
    isDue: once.isDue || twice.isDue,
    isOverdue: once.isOverdue || twice.isOverdue,
  };
}
