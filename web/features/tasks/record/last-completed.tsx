import { CalendarDays } from 'lucide-react';
import { addMonths, formatDay } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { CalendarButton } from '../../../ui/fields/calendar-button.tsx';
import { meaningOf, pickDay } from '../completion/pick-day.ts';
import type { TaskRowProps } from '../task-actions.ts';
import { markLeftBy } from '../task-overlay.ts';
import { lastCompletedText } from './task-facts.tsx';

type Props = Pick<TaskRowProps, 'task' | 'today' | 'canEdit' | 'actions'>;

/** The day of the last completion. If the person may change the day, it is a button that opens a calendar (ruling T40). */
export function LastCompleted({ task, today, canEdit, actions }: Props) {
  const text = lastCompletedText(task);
  if (!canEdit || task.check !== null || task.retiredAt !== null) return text;
  return (
    <CalendarButton
      label={text === '—' ? 'Last completed: choose a date' : `Last completed ${text}: choose a date`}
      value={task.markedOn === null ? task.completedOn : null}
      today={today}
      // The limits of `isCompletionDay`.
      min={addMonths(today, -12 * 30)}
      max={today}
      onChoose={(day) => pickDay(actions, { task, day, today })}
      describe={(day) => meaningText(task, day, today)}
      className="-mx-2 inline-flex h-9 items-center gap-1.5 rounded-control px-2 text-ink tabular-nums hover:bg-mute pointer-coarse:h-12"
    >
      {text}
      <CalendarDays size={14} aria-hidden className="text-ink-3" />
    </CalendarButton>
  );
}

function meaningText(task: Task, day: string, today: string): string {
  const on = formatDay(day);
  const { completedOn } = task;
  if (meaningOf({ task, day, today }) === 'corrects')
    return `${on}: corrects the day of the last completion.`;
  // The same rule as on the server (ruling T24).
  if (completedOn !== null && day < completedOn) return `${on}: is before the last completion.`;
  if (markLeftBy(task, day) !== null)
    return `${on}: is before the mark, so that it stands in the record only.`;
  return `${on}: completes what is due on ${formatDay(task.due)}.`;
}
