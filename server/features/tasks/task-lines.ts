import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { taskLines } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import type { TaskLine } from '#shared/features/tasks/task-record.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { LIST_BOUNDS } from '#shared/list-bounds.ts';
import type { Command } from '../../kernel/commands.ts';
import { recordedName } from '../../kernel/person-names.ts';

/** A limit, because a record is sent as a whole, and computed as a whole while its task is locked. */
const LINES_MAX = LIST_BOUNDS['tasks.record'];

type StoredLine = typeof taskLines.$inferSelect;
export type NewLine = Omit<
  typeof taskLines.$inferInsert,
  'id' | 'taskId' | 'buildingId' | 'position' | 'recordedBy' | 'recordedByName' | 'recordedAt'
>;

/**
 * Appends a line to the record of a task that the transaction has locked.
 * @returns the line's id
 * @throws AppError `invalid` if the record has as many lines as it may have
 */
export async function appendLine(
  command: Command,
  task: { id: string; buildingId: string },
  line: NewLine,
): Promise<string> {
  const id = uuidv7();
  const [made] = await command.tx
    .insert(taskLines)
    .values({
      ...line,
      ...signatureOf(command),
      id,
      taskId: task.id,
      buildingId: task.buildingId,
      position: sql`(select max(l.position) + 1 from ${taskLines} l where l.task_id = ${task.id})`,
    })
    .returning({ position: taskLines.position });
  // A task with a full record can still be taken out of use.
  if (made !== undefined && made.position > LINES_MAX && line.kind !== 'retired') {
    throw new AppError('invalid', { data: { fields: {} }, message: taskMessages.recordFull(LINES_MAX) });
  }
  return id;
}

/** Who records a line, and when. */
export function signatureOf({ actor, now }: Command) {
  return { recordedBy: actor.userId, recordedByName: recordedName(actor), recordedAt: now };
}

/** The most lines of one statement, because turning its rows into objects blocks the event loop. */
const LINES_AT_ONCE = 500;

/** Reads the lines of a task in their order. */
export async function readLines(tx: Transaction, taskId: string): Promise<StoredLine[]> {
  const lines: StoredLine[] = [];
  for (;;) {
    const some = await tx
      .select()
      .from(taskLines)
      .where(and(eq(taskLines.taskId, taskId), gt(taskLines.position, lines.at(-1)?.position ?? 0)))
      .orderBy(asc(taskLines.position))
      .limit(LINES_AT_ONCE);
    lines.push(...some);
    if (some.length < LINES_AT_ONCE) return lines;
  }
}

/** The lines from which the dates are computed. */
export function recordOf(lines: readonly StoredLine[]): TaskLine[] {
  return lines.flatMap((line) => {
    const read = toTaskLine(line);
    return read === undefined ? [] : [read];
  });
}

function toTaskLine(line: StoredLine): TaskLine | undefined {
  const { id, kind, day } = line;
  switch (kind) {
    case 'created':
      return {
        id,
        kind,
        day,
        recurrence: recurrenceOfLine(line),
        lastDone: line.lastDone,
        stated: line.stated,
      };
    case 'completed':
      return { id, kind, day, stated: line.stated };
    case 'marked':
      return { id, kind, day };
    case 'changed':
      return { id, kind, recurrence: recurrenceOfLine(line) };
    case 'corrected':
      return { id, kind, day, of: required(line.of) };
    case 'undone':
      return { id, kind, of: required(line.of) };
    case 'scheduled':
      return { id, kind, gridDay: required(line.gridDay), due: required(line.due) };
    case 'reassigned':
    case 'retired':
    case 'restored':
      return undefined;
  }
}

function recurrenceOfLine({ frequency, early, grace }: StoredLine) {
  return recurrenceFrom({ frequency: required(frequency), early, grace: required(grace) });
}

/** A column that the constraints of its kind of line require. */
function required(value: string | null): string {
  if (value === null) throw new Error('a line of a task lacks what its kind needs');
  return value;
}
