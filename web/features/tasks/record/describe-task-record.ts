import { formatDay } from '#shared/dates.ts';
import type { RecordedLine } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';

/** The text of a line of a task's record, and the text below it. */
export type LineWords = { text: string; detail: string | null };

/**
 * Describes a line of a task's record.
 * @param lines the whole record: a line refers to the line that it corrects or undoes
 */
export function describeLine(line: RecordedLine, lines: readonly RecordedLine[]): LineWords {
  const { kind, day, reason, notes } = line;
  const about = lines.find(({ id }) => id === line.of);
  switch (kind) {
    case 'created':
      return { text: createdText(line), detail: statedText(line) };
    case 'completed':
      return {
        text: `Completed on ${formatDay(day)}`,
        detail: joined(statedText(line), missedText(line), notes),
      };
    case 'corrected':
      return { text: `${wordOf(about)} moved to ${formatDay(day)}`, detail: reason };
    case 'marked':
      return { text: `Marked as non-compliant on ${formatDay(day)}`, detail: reason };
    case 'scheduled':
      return { text: `Scheduled to ${formatDay(line.due ?? day)}`, detail: reason };
    case 'changed':
      return { text: 'Frequency changed', detail: reason };
    case 'undone':
      return { text: `${wordOf(about)} undone`, detail: reason };
    case 'reassigned':
      return { text: notes === '' ? 'Nobody is responsible' : `Responsible: ${notes}`, detail: reason };
    case 'retired':
      return { text: 'Retired', detail: reason };
    case 'restored':
      return { text: 'Restored', detail: reason };
  }
}

/** Returns whether a line can be undone: a completion, a mark, or the last-done date with which the task was added. */
export function isUndoable({ kind, lastDone }: RecordedLine): boolean {
  return kind === 'completed' || kind === 'marked' || (kind === 'created' && lastDone !== null);
}

/** Returns the ids of the lines that were undone. */
export function undoneIn(lines: readonly RecordedLine[]): ReadonlySet<string> {
  return new Set(lines.flatMap(({ kind, of }) => (kind === 'undone' && of !== null ? [of] : [])));
}

function createdText({ day, lastDone }: RecordedLine): string {
  const added = `Added on ${formatDay(day)}`;
  return lastDone === null ? added : `${added}, last done on ${formatDay(lastDone)}`;
}

function statedText({ stated }: RecordedLine): string | null {
  return stated === null ? null : `The certificate states ${formatDay(stated)}.`;
}

function missedText({ reason }: RecordedLine): string | null {
  return reason === null ? null : taskMessages.missedBecause(reason);
}

/** "The completion of Nov 20, 2026". */
function wordOf(line: RecordedLine | undefined): string {
  if (line?.kind === 'marked') return `The mark of ${formatDay(line.day)}`;
  if (line?.kind === 'created' && line.lastDone !== null)
    return `The completion of ${formatDay(line.lastDone)}`;
  return line === undefined ? 'A line' : `The completion of ${formatDay(line.day)}`;
}

function joined(...texts: (string | null)[]): string | null {
  return texts.filter((text) => text !== null && text !== '').join('\n') || null;
}
