import { Archive, CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { daysBetween, formatDay } from '#shared/dates.ts';
import { TASK_CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Coverage, Task } from '#shared/features/tasks.ts';
import { formatRecurrence, NOT_DUE_LABEL, TASK_STATUS_LABELS } from '#shared/features/tasks.vocabulary.ts';
import { recurrenceFrom } from '#shared/task-frequency.ts';
import { isOverdue, statusOn } from '#shared/task-schedule.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

type Props = { task: Task; today: string };

/** The status in a badge, and for a task that checks satisfy how far the present period is. */
export function TaskStatusMark({ task, today }: Props) {
  return (
    <div className="grid justify-items-start gap-1">
      <StatusBadge task={task} today={today} />
      {task.coverage !== null && task.isDue && <CoverageMark coverage={task.coverage} today={today} />}
    </div>
  );
}

function StatusBadge({ task, today }: Props) {
  // Judged again once it is restored.
  if (task.retiredAt !== null) return <Badge icon={<Archive size={12} aria-hidden />}>Retired</Badge>;
  if (!task.isDue) {
    return <Badge icon={<CircleMinus size={12} aria-hidden />}>{NOT_DUE_LABEL}</Badge>;
  }
  const status = statusOn(task, today);
  const compliant = status === 'compliant';
  const Icon = compliant ? CircleCheck : CircleX;
  return (
    <Badge tone={compliant ? 'ok' : 'bad'} icon={<Icon size={12} aria-hidden />}>
      {TASK_STATUS_LABELS[status]}
    </Badge>
  );
}

function CoverageMark({ coverage, today }: { coverage: Coverage; today: string }) {
  // From the end of its period on, the next one is to be done, where nothing is.
  const over = today > coverage.until;
  const { of, daysOf } = coverage;
  const [done, days] = over ? [0, 0] : [coverage.done, coverage.days];
  return (
    <span className="flex w-full items-center gap-2 text-ink-2 text-xs tabular-nums">
      <ProgressBar done={done} of={of} />
      {done} of {of}
      {daysOf > 1 && ` · ${days} of ${daysOf} days`}
    </span>
  );
}

/** The due date, and how long until then. */
export function DueDate({ task, today }: Props) {
  if (!task.isDue) return <span className="text-ink-3">—</span>;
  const overdue = isOverdue(task, today);
  const days = daysBetween(today, task.due);
  return (
    <>
      <time dateTime={task.due} className="block text-ink">
        {formatDay(task.due)}
      </time>
      {task.retiredAt === null && (
        <span
          className={cx(
            'block text-xs',
            overdue
              ? 'font-semibold text-bad'
              : days >= 0 && days <= 7
                ? 'font-medium text-due'
                : 'text-ink-2',
          )}
        >
          {untilText(days, overdue)}
        </span>
      )}
    </>
  );
}

function untilText(days: number, overdue: boolean): string {
  if (days === 0) return 'today';
  const distance = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  if (days > 0) return `in ${distance}`;
  return overdue ? `${distance} overdue` : `${distance} ago`;
}

/** The day of the last completion; a dash while a mark of non-compliance stands (ruling T40). */
export function lastCompletedText({ completedOn, markedOn }: Task): string {
  return completedOn === null || markedOn !== null ? '—' : formatDay(completedOn);
}

export function frequencyText(task: Task): string {
  return formatRecurrence(recurrenceFrom(task));
}

/** Under the name: why a mark stands, and what satisfies the task instead of people. */
export function TaskNotes({ task }: { task: Task }) {
  const { markedOn, markReason, check, retireReason } = task;
  return (
    <>
      {markedOn !== null && (
        <span className="line-clamp-2 text-bad text-xs [overflow-wrap:anywhere]">
          Marked on {formatDay(markedOn)}
          {markReason !== null && `: ${markReason}`}
        </span>
      )}
      {retireReason !== null && (
        <span className="line-clamp-2 text-ink-2 text-xs [overflow-wrap:anywhere]">
          Retired: {retireReason}
        </span>
      )}
      {check !== null && (
        <span className="block truncate text-ink-2 text-xs">
          By check: {TASK_CHECK_VOCABULARY[check].label}
        </span>
      )}
    </>
  );
}
