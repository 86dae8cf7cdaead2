import { memo, type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { taskName } from '#shared/features/tasks.vocabulary.ts';
import { useHighlight } from '../../live/use-highlight.ts';
import { usePending } from '../../live/use-pending.ts';
import { cx } from '../../ui/cx.ts';
import { PendingDot } from '../../ui/pending-dot.tsx';
import { LastCompleted } from './last-completed.tsx';
import { RowActions } from './row-actions.tsx';
import type { TaskRowProps } from './task-actions.ts';
import { DueDate, frequencyText, TaskNotes, TaskStatusMark } from './task-facts.tsx';
import { Responsible, type TaskGroupProps } from './task-table.tsx';

/** A group of tasks on a narrow screen: one card for each task. */
export function TaskCards({ group, tasks, rowOf, onSelectAll }: TaskGroupProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-5">
      <h2 id={id} className="mb-1.5 flex items-baseline gap-2 font-semibold text-ink text-md">
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
        'flex h-full flex-col gap-3 rounded-card border bg-surface p-3.5',
        glow === undefined ? 'border-line' : 'border-brand',
      )}
    >
      <div className="flex items-start gap-2">
        {selectable && (
          <label className="-m-2 grid size-12 shrink-0 place-items-center">
            <input
              type="checkbox"
              aria-label={`Select ${task.taskNumber}`}
              checked={selected}
              onChange={(event) => onSelect(task.id, event.target.checked)}
              className="size-5 accent-brand"
            />
          </label>
        )}
        <div className="grid min-w-0 flex-1 gap-1">
          <div className="flex items-start justify-between gap-2">
            <p className="flex items-center gap-1.5 text-ink-2 text-xs tabular-nums">
              {task.taskNumber}
              {pending && <PendingDot />}
            </p>
            <TaskStatusMark task={task} today={today} />
          </div>
          <Link
            to={hrefOf(task.id)}
            state={{ opened: true }}
            className="line-clamp-3 font-semibold text-ink text-md [overflow-wrap:anywhere]"
          >
            {taskName(task)}
          </Link>
          <TaskNotes task={task} />
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-base">
        <Fact name="Due Date">
          <DueDate task={task} today={today} />
        </Fact>
        <Fact name="Last Completed">
          <LastCompleted {...props} />
        </Fact>
        <Fact name="Responsible">
          <Responsible task={task} isOwn={isOwn} />
        </Fact>
        <Fact name="Frequency">{frequencyText(task)}</Fact>
      </dl>
      <div className="mt-auto flex flex-wrap items-center gap-2">
        <RowActions {...props} />
      </div>
    </article>
  );
});

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-2 text-xs">{name}</dt>
      <dd className="text-ink tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
