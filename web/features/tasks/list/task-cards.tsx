import { User } from 'lucide-react';
import { memo, useId } from 'react';
import { Link } from 'react-router-dom';
import { formatDay } from '#shared/dates.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { useHighlight } from '../../../live/hooks/use-highlight.ts';
import { usePending } from '../../../live/hooks/use-pending.ts';
import { cx } from '../../../ui/cx.ts';
import { PendingDot } from '../../../ui/feedback/pending-dot.tsx';
import { TouchCheckbox } from '../../../ui/fields/touch-checkbox.tsx';
import { frequencyText, StatusBadge, TaskNote, UntilDue } from '../record/task-facts.tsx';
import type { TaskRowProps } from '../task-actions.ts';
import { RowActions } from './row-actions.tsx';
import { Responsible, type TaskGroupProps } from './task-table.tsx';

/** A group of tasks on a narrow screen: one card for each task. */
export function TaskCards({ group, tasks, rowOf, onSelectAll }: TaskGroupProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-5">
      <h2 id={id} className="mb-3 flex items-baseline gap-2 font-semibold text-ink text-md">
        <span className="min-w-0 [overflow-wrap:anywhere]">{group}</span>
        <span className="font-normal text-ink-2 text-sm tabular-nums">{tasks.length}</span>
      </h2>
      <ul className="grid gap-2 md:grid-cols-2">
        {tasks.map((task) => (
          <li key={task.id} className="min-w-0">
            <TaskCard {...rowOf(task)} selectable={onSelectAll !== undefined} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const TaskCard = memo(function TaskCard(props: TaskRowProps & { selectable: boolean }) {
  const { task, today, isOwn, selectable, selected, onSelect, hrefOf } = props;
  const pending = usePending('task', task.id);
  const glow = useHighlight('task', task.id);
  return (
    <article
      data-task={task.id}
      className={cx(
        'flex h-full flex-col gap-1.5 rounded-card border bg-surface p-3',
        glow === undefined ? 'border-line' : 'border-brand',
      )}
    >
      <div className="flex items-start gap-2">
        {selectable && (
          <TouchCheckbox
            className="-m-2"
            label={`Select ${task.taskNumber}`}
            checked={selected}
            onChange={(on) => onSelect(task.id, on)}
          />
        )}
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
          <div className="flex items-center justify-between gap-2">
            <p className="flex min-w-0 items-center gap-1.5 text-ink-2 text-xs tabular-nums">
              <span className="shrink-0">{task.taskNumber}</span>
              <span className="truncate">
                <span aria-hidden>· </span>
                {frequencyText(task)}
              </span>
              {pending && <PendingDot />}
            </p>
            <span className="shrink-0">
              <StatusBadge task={task} today={today} />
            </span>
          </div>
          <Link
            to={hrefOf(task.id)}
            state={{ opened: true }}
            className="line-clamp-2 font-semibold text-ink text-md leading-snug [overflow-wrap:anywhere]"
          >
            {taskName(task)}
          </Link>
          {task.responsiblePerson !== '' && (
            <p className="flex items-center gap-1.5 text-ink-2 text-sm">
              <User size={13} aria-hidden />
              <span className="sr-only">Responsible: </span>
              <span className="truncate">
                <Responsible task={task} isOwn={isOwn} />
              </span>
            </p>
          )}
          <TaskNote task={task} today={today} />
        </div>
      </div>
      <div className="mt-auto flex items-center justify-between gap-2">
        <div className="min-w-0 tabular-nums">
          <p className="whitespace-nowrap text-ink">
            <span className="sr-only">Due Date: </span>
            {task.isDue ? <time dateTime={task.due}>{formatDay(task.due)}</time> : '—'}
          </p>
          <p className="truncate text-xs">
            <UntilDue task={task} today={today} />
          </p>
        </div>
        <div className="-mr-1.5 flex shrink-0 items-center gap-1">
          <RowActions {...props} />
        </div>
      </div>
    </article>
  );
});
