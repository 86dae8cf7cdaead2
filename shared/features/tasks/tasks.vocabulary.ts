import { nameKey } from '../../text/name-keys.ts';
import {
  FREQUENCIES,
  frequencyOf,
  type NthWeekday,
  type Recurrence,
  type Span,
  type TaskStatus,
} from './task-schedule.ts';

// Separate from the schemas, so that a screen can name a status without loading the validation library.

export const TASK_STATUS_LABELS: Readonly<Record<TaskStatus, string>> = {
  compliant: 'Compliant',
  'non-compliant': 'Non-Compliant',
};

/** Shown instead of a status if nothing is due by the site's schedule of checks. */
export const NOT_DUE_LABEL = 'Not due here';

/** The frequencies of forms and filters; `other` is any frequency without a name. */
export const TASK_FREQUENCIES = [...FREQUENCIES, 'other'] as const;
export type TaskFrequency = (typeof TASK_FREQUENCIES)[number];
export const TASK_FREQUENCY_LABELS: Readonly<Record<TaskFrequency, string>> = {
  weekly: 'Weekly',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  annually: 'Annually',
  biannually: 'Biannually',
  other: 'Other…',
};
/** The ranges of the filter. They compare the due date; Overdue also compares the status. */
export const TASK_DATE_RANGES = ['all', 'week', 'month', 'overdue'] as const;
export type TaskDateRange = (typeof TASK_DATE_RANGES)[number];
export const TASK_DATE_RANGE_LABELS: Readonly<Record<TaskDateRange, string>> = {
  all: 'All Time',
  week: 'This Week',
  month: 'This Month',
  overdue: 'Overdue',
};
/** The kinds of lines in a task's record. The last three change no date. */
export const TASK_LINE_KINDS = [
  'created',
  'completed',
  'corrected',
  'marked',
  'scheduled',
  'changed',
  'undone',
  'reassigned',
  'retired',
  'restored',
] as const;

export const TASK_SYSTEM_MAX = 100;
export const TASK_DESCRIPTION_MAX = 2_000;
export const TASK_RESPONSIBLE_MAX = 200;
export const TASK_REASON_MAX = 500;
export const TASK_NOTES_MAX = 2_000;
/** The maximum length of a search text. */
export const TASK_SEARCH_MAX = 100;
/** The most retired tasks in a building's list; it shows the last retired ones. */
export const RETIRED_SHOWN_MAX = 500;
/** The most tasks of one building that are in use, and of one selection. */
export const BUILDING_TASKS_MAX = 500;
export const TASK_SELECTION_MAX = 200;

/** The frequency under which filters find a recurrence. */
export function taskFrequencyOf({ every, basis, on }: Recurrence): TaskFrequency {
  return basis === 'grid' && on === null ? (frequencyOf(every) ?? 'other') : 'other';
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const PLACES: Readonly<Record<NthWeekday['nth'], string>> = {
  1: 'First',
  2: 'Second',
  3: 'Third',
  4: 'Fourth',
  last: 'Last',
};

/** "Weekly", "Every 14 months", "First Monday of the month", "Every 6 months from completion". */
export function formatRecurrence(recurrence: Recurrence): string {
  const { every, basis, on } = recurrence;
  const frequency = taskFrequencyOf(recurrence);
  if (frequency !== 'other') return TASK_FREQUENCY_LABELS[frequency];
  if (basis === 'stated') return 'As the certificate states';
  const interval = formatInterval(every);
  if (basis === 'completion') return `${interval} from completion`;
  if (on === null) return interval;
  const day = `${PLACES[on.nth]} ${WEEKDAYS[on.weekday - 1]}`;
  return every.count === 1 ? `${day} of the month` : `${day}, ${interval.toLowerCase()}`;
}

/** The interval of "As the certificate states" if a text does not name one. */
export const STATED_USUALLY: Span = { count: 12, unit: 'month' };

/**
 * As `formatRecurrence`, but also says how often a certificate is due before one states a date: "As the certificate
 * states, every 60 months". For files, so that an import reads the same recurrence.
 */
export function formatRecurrenceFully(recurrence: Recurrence): string {
  const words = formatRecurrence(recurrence);
  const { every, basis } = recurrence;
  const isUsual = every.unit === 'month' && every.count === STATED_USUALLY.count;
  return basis !== 'stated' || isUsual ? words : `${words}, ${formatInterval(every).toLowerCase()}`;
}

/** "Every month", "Every 14 months". */
function formatInterval({ count, unit }: Span): string {
  return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
}

/** A task number such as HAR-T0001. */
export function formatTaskNumber(code: string, number: number): string {
  return `${code}-T${String(number).padStart(4, '0')}`;
}

/** The displayed name of a task: its compliance system, then its description. */
export function taskName(task: { complianceSystem: string; taskDescription: string }): string {
  return [task.complianceSystem, task.taskDescription].filter((part) => part !== '').join(' – ');
}

export const GENERAL_GROUP = 'General';

/** The group of a task: the first word of its name, with a capital; General if it has none. */
export function taskGroup(name: string): string {
  const [word = ''] = name.trim().split(/\s+/);
  return word === '' ? GENERAL_GROUP : `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/**
 * Groups tasks by the first word of their names, in the order in which the groups occur. "fire doors" belongs to "Fire": the
 * group has the spelling that occurs first.
 */
export function groupTasks<Task>(
  tasks: readonly Task[],
  nameOf: (task: Task) => string,
): { group: string; tasks: Task[] }[] {
  const groups = new Map<string, { group: string; tasks: Task[] }>();
  for (const task of tasks) {
    const group = taskGroup(nameOf(task));
    const key = nameKey(group);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { group, tasks: [task] });
    else known.tasks.push(task);
  }
  return [...groups.values()];
}
