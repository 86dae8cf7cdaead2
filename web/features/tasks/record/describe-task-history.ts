import { formatDay } from '#shared/dates.ts';
import { formatSpan, recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { NO_TIME } from '#shared/features/tasks/task-schedule.ts';
import { formatRecurrence } from '#shared/features/tasks/tasks.vocabulary.ts';
import type { HistoryEntry } from '#shared/history.ts';
import { textOf } from '../../../lib/text-of.ts';

type Changes = NonNullable<HistoryEntry['changes']>;

const FIELDS: readonly (readonly [field: string, name: string, words: (value: unknown) => string])[] = [
  ['complianceSystem', 'the system', quoted],
  ['taskDescription', 'the description', quoted],
  ['frequency', 'the frequency', frequencyWords],
  ['responsiblePerson', 'the responsible person', nameWords],
  ['due', 'the due date', dayWords],
  ['completedOn', 'the last completion', dayWords],
  ['coveredUntil', 'the last day covered', dayWords],
  ['isDue', 'what is due here', (value) => (value === true ? 'due' : 'not due')],
];

/** Commands in words; the changes of fields follow. */
const DONE: Readonly<Record<string, string>> = {
  'tasks.complete': 'completed the task',
  'tasks.correct': 'corrected the day of the last completion',
  'tasks.schedule': 'scheduled the task',
  'tasks.undo': 'undid a line of the record',
};

/** Describes a history entry, one sentence for each change: "changed the due date from Nov 20, 2026 to Dec 01, 2026". */
export function describeTaskHistory(entry: HistoryEntry): string[] {
  if (entry.erased) return ['made a change whose details have been erased'];
  const { changes, command } = entry;
  if (changes === null) return ['added the task'];
  const retired = changes['retiredAt'];
  if (retired !== undefined) return [retired[1] === null ? 'restored the task' : retiredWords(changes)];
  const mark = changes['markedOn'];
  const done = command.startsWith('checks.') ? 'recorded a safety check' : DONE[command];
  const lines = [
    ...(done === undefined ? [] : [done]),
    ...(mark === undefined ? [] : [markWords(mark, changes)]),
    ...FIELDS.flatMap(([field, name, words]) => line(changes, field, name, words)),
  ];
  return lines.length > 0 ? lines : ['saved the task'];
}

function retiredWords(changes: Changes): string {
  const reason = changes['retireReason']?.[1];
  return typeof reason === 'string' ? `retired the task: ${reason}` : 'retired the task';
}

function markWords([, to]: [from: unknown, to: unknown], changes: Changes): string {
  if (to === null) return 'ended the mark of non-compliance';
  const reason = changes['markReason']?.[1];
  return typeof reason === 'string'
    ? `marked the task as non-compliant: ${reason}`
    : 'marked the task as non-compliant';
}

function line(changes: Changes, field: string, name: string, words: (value: unknown) => string): string[] {
  const change = changes[field];
  return change === undefined ? [] : [`changed ${name} from ${words(change[0])} to ${words(change[1])}`];
}

function quoted(value: unknown): string {
  return `“${textOf(value)}”`;
}

function nameWords(value: unknown): string {
  return value === '' || value === null ? 'nobody' : textOf(value);
}

function dayWords(value: unknown): string {
  return typeof value === 'string' ? formatDay(value) : 'none';
}

function frequencyWords(value: unknown): string {
  const frequency = textOf(value);
  return formatRecurrence(
    recurrenceFrom({ frequency, early: null, grace: formatSpan(NO_TIME) }),
  ).toLowerCase();
}
