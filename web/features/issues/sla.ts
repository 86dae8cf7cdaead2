import { formatDateTime } from '#shared/dates.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { PAUSE_REASON_LABELS } from '#shared/features/issues/issues.vocabulary.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Share of the allowed time after which a clock warns. */
const WARN_SHARE = 0.8;

/**
 * State of a clock, with a short text for the card: "2h left", "4h over", "Resolved in 3h 10m", "Waiting for parts".
 */
export type SlaState = {
  tone: 'calm' | 'warn' | 'late' | 'met' | 'paused';
  text: string;
  /** The full sentence, as tooltip and for screen readers. */
  title: string;
  /** The text for paper, which is still correct when read later: a point in time instead of the remaining time. */
  printed: string;
};
type SlaIssue = Pick<
  Issue,
  | 'status'
  | 'createdAt'
  | 'respondedAt'
  | 'respondDueAt'
  | 'resolvedAt'
  | 'resolveDueAt'
  | 'pauseReason'
  | 'pausedAt'
>;

/** Returns the clock that a card shows: the next one due, or how the issue ended. Null without targets. */
export function slaOf(issue: SlaIssue, now: number): SlaState | null {
  const resolve = resolveClock(issue, now);
  if (issue.resolvedAt !== null || issue.pausedAt !== null) return resolve;
  const respond = respondClock(issue, now);
  if (issue.respondedAt !== null || respond === null) return resolve;
  const respondDue = issue.respondDueAt ?? '';
  return issue.resolveDueAt !== null && issue.resolveDueAt < respondDue ? resolve : respond;
}

/** Returns the respond clock, which stops at the first response. */
export function respondClock(issue: SlaIssue, now: number): SlaState | null {
  return clock(issue, {
    due: issue.respondDueAt,
    met: issue.respondedAt,
    doing: 'Respond',
    done: 'Responded',
    now,
  });
}

/** Returns the resolve clock, which stops when the issue is resolved. */
export function resolveClock(issue: SlaIssue, now: number): SlaState | null {
  return clock(issue, {
    due: issue.resolveDueAt,
    met: issue.resolvedAt,
    doing: 'Resolve',
    done: 'Resolved',
    now,
  });
}

function clock(
  issue: SlaIssue,
  options: { due: string | null; met: string | null; doing: string; done: string; now: number },
): SlaState | null {
  const started = Date.parse(issue.createdAt);
  const due = options.due === null ? null : Date.parse(options.due);
  if (options.met !== null) {
    const met = Date.parse(options.met);
    const took = `${options.done} in ${formatSpan(met - started)}`;
    if (due === null) return { tone: 'met', text: took, title: took, printed: took };
    const late = met > due;
    const margin = `${formatSpan(Math.abs(due - met))} ${late ? 'late' : 'early'}`;
    return { tone: late ? 'late' : 'met', text: took, title: `${took}, ${margin}`, printed: took };
  }
  if (due === null) return null;
  if (issue.pauseReason !== null && issue.pausedAt !== null) {
    const reason = PAUSE_REASON_LABELS[issue.pauseReason];
    const left = due - Date.parse(issue.pausedAt);
    const rest = left >= 0 ? `${formatRough(left)} left` : `${formatRough(-left)} over`;
    return {
      tone: 'paused',
      text: reason,
      title: `${options.doing} clock paused at ${rest}: ${reason.toLowerCase()}`,
      printed: reason,
    };
  }
  const left = due - options.now;
  if (left < 0) {
    return {
      tone: 'late',
      text: `${formatRough(-left)} over`,
      title: `${options.doing} was due ${formatSpan(-left)} ago`,
      printed: `Overdue since ${formatDateTime(due)}`,
    };
  }
  const warn = options.now - started >= (due - started) * WARN_SHARE;
  return {
    tone: warn ? 'warn' : 'calm',
    text: `${formatRough(left)} left`,
    title: `${options.doing} within ${formatSpan(left)}`,
    printed: `${options.doing} by ${formatDateTime(due)}`,
  };
}

/** Formats a duration in one unit, rounded down: "55m", "2h", "9d". */
export function formatRough(ms: number): string {
  if (ms >= DAY) return `${Math.floor(ms / DAY)}d`;
  if (ms >= HOUR) return `${Math.floor(ms / HOUR)}h`;
  return `${Math.floor(ms / MINUTE)}m`;
}

/** Formats a duration in two units below three days, otherwise in days: "3h 10m", "2d 4h", "55m", "9d". */
export function formatSpan(ms: number): string {
  if (ms >= 3 * DAY) return `${Math.floor(ms / DAY)}d`;
  if (ms >= DAY) return pair(Math.floor(ms / DAY), 'd', Math.floor((ms % DAY) / HOUR), 'h');
  if (ms >= HOUR) return pair(Math.floor(ms / HOUR), 'h', Math.floor((ms % HOUR) / MINUTE), 'm');
  return `${Math.floor(ms / MINUTE)}m`;
}

function pair(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit} ${small}${smallUnit}`;
}
