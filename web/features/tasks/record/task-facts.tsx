import { Archive, CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { daysBetween, formatDay } from '#shared/dates.ts';
import { TASK_CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { isOverdue, statusOn } from '#shared/features/tasks/task-schedule.ts';
import type { Coverage, Task } from '#shared/features/tasks/tasks.ts';
import {
  formatRecurrence,
  NOT_DUE_LABEL,
  TASK_STATUS_LABELS,
} from '#shared/features/tasks/tasks.vocabulary.ts';
import { cx } from '../../../ui/cx.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { Unbroken } from '../../../ui/unbroken.tsx';

type Props = { task: Task; today: string };

/** The status in a badge, with the progress of the present period if a check satisfies the task. */
export function TaskStatusMark({ task, today }: Props) {
  return (
    <div className="grid justify-items-start gap-1">
      <StatusBadge task={task} today={today} />
      {task.coverage !== null && task.isDue && <CoverageMark coverage={task.coverage} today={today} />}
    </div>
  );
}

export function StatusBadge({ task, today }: Props) {
  // A retired task has no status until it is restored.
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
  const { done, of } = coverageOn(coverage, today);
  return (
    <span className="flex w-full items-center gap-2 text-ink-2 text-xs tabular-nums">
      <ProgressBar done={done} of={of} />
      {coverageText(coverage, today)}
    </span>
  );
}

/** Returns the coverage on a day. After the end of its period, nothing of the next period is done yet. */
function coverageOn(coverage: Coverage, today: string): Coverage {
  return today > coverage.until ? { ...coverage, done: 0, days: 0 } : coverage;
}

function coverageText(coverage: Coverage, today: string): string {
  const { done, of, days, daysOf } = coverageOn(coverage, today);
  return `${done} of ${of}${daysOf > 1 ? ` · ${days} of ${daysOf} days` : ''}`;
}

/**
 * The due date, and the time until then.
 * @param day a control to show in place of the date
 */
export function DueDate({ task, today, day }: Props & { day?: ReactNode }) {
  if (!task.isDue) return <span className="text-ink-3">—</span>;
  return (
    <>
      {day ?? (
        <time dateTime={task.due} className="block whitespace-nowrap text-ink">
          {formatDay(task.due)}
        </time>
      )}
      <span className="block whitespace-nowrap text-xs">
        <UntilDue task={task} today={today} />
      </span>
    </>
  );
}

/** The time until a task is due, or since it was due; renders nothing for a retired task or a task that is not due. */
export function UntilDue({ task, today }: Props) {
  if (!task.isDue || task.retiredAt !== null) return null;
  const overdue = isOverdue(task, today);
  const days = daysBetween(today, task.due);
  const tone = overdue
    ? 'font-semibold text-bad'
    : days >= 0 && days <= 7
      ? 'font-medium text-due'
      : 'text-ink-2';
  return <span className={tone}>{untilText(days, overdue)}</span>;
}

function untilText(days: number, overdue: boolean): string {
  if (days === 0) return 'today';
  const distance = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  if (days > 0) return `in ${distance}`;
  return overdue ? `${distance} overdue` : `${distance} ago`;
}

/** Returns the day of the last completion; a dash while the task has a mark of non-compliance (ruling T40). */
export function lastCompletedText({ completedOn, markedOn }: Task): string {
  return completedOn === null || markedOn !== null ? '—' : formatDay(completedOn);
}

export function frequencyText(task: Task): string {
  return formatRecurrence(recurrenceFrom(task));
}

/** One line of a card: the reason of a mark, or the check that satisfies the task, with its progress. */
export function TaskNote({ task, today }: Props) {
  const note = noteOf(task, today);
  if (note === undefined) return null;
  return <p className={cx('truncate text-sm', note.bad ? 'text-bad' : 'text-ink-2')}>{note.text}</p>;
}

function noteOf(task: Task, today: string): { text: string; bad: boolean } | undefined {
  const { markedOn, markReason, check, coverage, retireReason, isDue } = task;
  if (retireReason !== null) return { text: `Retired: ${retireReason}`, bad: false };
  if (markedOn !== null) {
    const why = markReason === null ? '' : `: ${markReason}`;
    return { text: `Marked on ${formatDay(markedOn)}${why}`, bad: true };
  }
  if (check === null) return undefined;
  const parts = [`By check: ${TASK_CHECK_VOCABULARY[check].label}`];
  if (coverage !== null && isDue) parts.push(coverageText(coverage, today));
  return { text: parts.join(' · '), bad: false };
}

/** Lines below the name: the reason of a mark, the check that satisfies the task, and the reason of retirement. */
export function TaskNotes({ task }: { task: Task }) {
  const { markedOn, markReason, check, retireReason } = task;
  return (
    <>
      {markedOn !== null && (
        <span className="line-clamp-2 text-bad text-xs [overflow-wrap:anywhere]">
          <Unbroken
            text={`Marked on ${formatDay(markedOn)}${markReason === null ? '' : `: ${markReason}`}`}
          />
        </span>
      )}
      {retireReason !== null && (
        <span className="line-clamp-2 text-ink-2 text-xs [overflow-wrap:anywhere]">
          <Unbroken text={`Retired: ${retireReason}`} />
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
