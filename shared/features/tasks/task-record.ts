import { runSteps } from '../../run-steps.ts';
import {
  changeRecurrence,
  completeTask,
  type Day,
  markTask,
  newTaskDates,
  type Recurrence,
  scheduleTask,
  type TaskDates,
} from './task-schedule.ts';

// A task's record: lines that are appended and never changed. The dates are computed from the lines that were not undone.
// Undoing a line appends another line, and all dates are computed again.

/** A line of a task's record. The lines are in the order of recording. */
export type TaskLine = { id: string } & (
  | { kind: 'created'; day: Day; recurrence: Recurrence; lastDone: Day | null; stated: Day | null }
  /** Done on `day`. `stated` is the date that the certificate states. */
  | { kind: 'completed'; day: Day; stated: Day | null }
  /** The completion `of` was on another day. */
  | { kind: 'corrected'; of: string; day: Day }
  | { kind: 'marked'; day: Day }
  /** The occurrence with this grid day was moved to `due`. */
  | { kind: 'scheduled'; gridDay: Day; due: Day }
  | { kind: 'changed'; recurrence: Recurrence }
  /** The completion or mark `of` no longer counts. */
  | { kind: 'undone'; of: string }
);

/** A task's dates with its recurrence, and the lines that decide them. */
export type TaskState = {
  dates: TaskDates;
  recurrence: Recurrence;
  /** The ids of the last completion and of the mark that are in force, for undo and correction. */
  completion: string | null;
  mark: string | null;
  /** The date that the certificate of that completion states. */
  stated: Day | null;
};

/**
 * The state that results from a record.
 * @throws Error if the first line is not the creation
 */
export function readRecord(lines: readonly TaskLine[]): TaskState {
  return runSteps(readRecordInSteps(lines));
}

/** As `readRecord`, but yields after each line, because a record of thousands of lines takes tens of milliseconds. */
export function* readRecordInSteps(lines: readonly TaskLine[]): Generator<undefined, TaskState, undefined> {
  const [created, ...later] = lines;
  if (created?.kind !== 'created') throw new Error('the record of a task begins with its creation');
  const undone = new Set(lines.flatMap((line) => (line.kind === 'undone' ? [line.of] : [])));
  const corrections = new Map<string, Day>();
  for (const line of lines) {
    if (line.kind === 'corrected' && !undone.has(line.id)) corrections.set(line.of, line.day);
  }

  const { recurrence, day: createdOn, lastDone, stated } = created;
  const first = newTaskDates(recurrence, {
    createdOn,
    // A last-done date given at the creation counts as a completion, with the id of the creation's line.
    lastDone: undone.has(created.id) ? null : (corrections.get(created.id) ?? lastDone),
    stated,
  });
  let state: TaskState = {
    dates: first,
    recurrence,
    completion: first.completedOn === null ? null : created.id,
    mark: null,
    stated,
  };
  for (const line of later) {
    if (!undone.has(line.id)) state = next(state, line, corrections);
    yield;
  }
  return state;
}

function next(state: TaskState, line: TaskLine, corrections: ReadonlyMap<string, Day>): TaskState {
  const { dates, recurrence } = state;
  switch (line.kind) {
    case 'completed': {
      const on = corrections.get(line.id) ?? line.day;
      const done = completeTask(dates, recurrence, { on, stated: line.stated });
      if (done === dates) return state;
      return { ...state, dates: done, completion: line.id, mark: null, stated: line.stated };
    }
    case 'marked':
      return { ...state, dates: markTask(dates, line.day), mark: line.id };
    case 'scheduled':
      // Ignored if the grid day differs: undoing or correcting a completion may since have changed the occurrence.
      return line.gridDay === dates.gridDay ? { ...state, dates: scheduleTask(dates, line.due) } : state;
    case 'changed':
      return {
        ...state,
        recurrence: line.recurrence,
        dates: changeRecurrence(dates, line.recurrence, state.stated),
      };
    case 'created':
    case 'corrected':
    case 'undone':
      return state;
  }
}
