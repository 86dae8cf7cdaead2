import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { meaningOfPickedDay } from '#shared/features/tasks/task-schedule.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { missedBy } from '../missed-by.ts';
import type { TaskActions } from '../task-actions.ts';
import { isDueByCertificate } from './goes-by-certificate.ts';

type Picked = { task: Task; day: string; today: string };

/** Whether a day in the calendar of Last Completed completes the task or corrects its last completion (ruling T40). */
export function meaningOf({ task, day, today }: Picked): 'completes' | 'corrects' {
  return meaningOfPickedDay(task, recurrenceFrom(task), day, today);
}

/** Carries out the choice of a day in the calendar of Last Completed. */
export function pickDay(actions: TaskActions, picked: Picked): void {
  const { task, day } = picked;
  if (meaningOf(picked) === 'corrects') void actions.correct(task, day);
  else if (asksMore(task, day)) actions.open({ what: 'complete', task, day });
  else void actions.completeOn(task, day);
}

/** Carries out Complete: the present occurrence was done today. */
export function completeToday(actions: TaskActions, task: Task, today: string): void {
  if (asksMore(task, today)) actions.open({ what: 'complete', task, day: today });
  else void actions.complete(task, today);
}

/** Whether the dialog must ask more: until when a certificate is valid, or why occurrences were missed. */
function asksMore(task: Task, day: string): boolean {
  return isDueByCertificate(task) || missedBy(task, day) > 0;
}
