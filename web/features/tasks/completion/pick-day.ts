import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { meaningOfPickedDay } from '#shared/features/tasks/task-schedule.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { missedBy } from '../missed-by.ts';
import type { TaskActions } from '../task-actions.ts';
import { isDueByCertificate } from './goes-by-certificate.ts';

type Picked = { task: Task; day: string; today: string };

/** Returns whether a day in the calendar of Last Completed completes the task or corrects its last completion (ruling T40). */
export function meaningOf({ task, day, today }: Picked): 'completes' | 'corrects' {
  return meaningOfPickedDay(task, recurrenceFrom(task), day, today);
}

/** Completes the task, or corrects its last completion, after a day was picked in the calendar of Last Completed. */
export function pickDay(actions: TaskActions, picked: Picked): void {
  const { task, day } = picked;
  if (meaningOf(picked) === 'corrects') void actions.correct(task, day);
  else if (asksMore(task, day)) actions.open({ what: 'complete', task, day });
  else void actions.completeOn(task, day);
}

/** Completes the present occurrence with today's date, through the dialog if it must ask for more. */
export function completeToday(actions: TaskActions, task: Task, today: string): void {
  if (asksMore(task, today)) actions.open({ what: 'complete', task, day: today });
  else void actions.complete(task, today);
}

/** Returns whether the dialog must ask for more: a certificate's date of validity, or the reason of missed occurrences. */
function asksMore(task: Task, day: string): boolean {
  return isDueByCertificate(task) || missedBy(task, day) > 0;
}
