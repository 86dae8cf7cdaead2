import { memo, useId } from 'react';
import { Link } from 'react-router-dom';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { useHighlight } from '../../../live/hooks/use-highlight.ts';
import { usePending } from '../../../live/hooks/use-pending.ts';
import { cx } from '../../../ui/cx.ts';
import { PendingDot } from '../../../ui/feedback/pending-dot.tsx';
import { LastCompleted } from '../record/last-completed.tsx';
import { frequencyText, TaskNotes, TaskStatusMark } from '../record/task-facts.tsx';
import type { TaskRowProps } from '../task-actions.ts';
import type { TaskGroup } from './arrange-tasks.ts';
import { DueButton } from './due-button.tsx';
import { RowActions } from './row-actions.tsx';

export type TaskGroupProps = TaskGroup & {
  rowOf: (task: TaskRowProps['task']) => TaskRowProps;
  /** Undefined if nothing can be selected. */
  onSelectAll: ((ids: readonly string[], on: boolean) => void) | undefined;
};

const COLUMNS: readonly (readonly [name: string, width: string])[] = [
  ['Task ID', 'w-[5.5rem]'],
  ['Task', ''],
  ['Status', 'w-[8.75rem]'],
  ['Due Date', 'w-[8.5rem]'],
  ['Last Completed', 'w-[7.5rem]'],
  ['Responsible', 'w-[7rem] min-[86rem]:w-[8.5rem]'],
  ['Frequency', 'w-[7rem] min-[86rem]:w-[8rem]'],
];

/** Maximum length of a task number that fits into one line of its column, in characters. */
const SHORT_NUMBER = 10;

/** A group of tasks as a table. */
export function TaskTable({ group, tasks, rowOf, onSelectAll }: TaskGroupProps) {
  const id = useId();
  const rows = tasks.map(rowOf);
  const canEdit = rows.some((row) => row.canEdit);
  const chosen = rows.filter(({ selected }) => selected).length;
  return (
    <section aria-labelledby={id} className="mb-5">
      <h2 id={id} className="mb-1.5 flex items-baseline gap-2 font-semibold text-ink text-md">
        <span className="min-w-0 [overflow-wrap:anywhere]">{group}</span>
        <span className="font-normal text-ink-2 text-sm tabular-nums">{tasks.length}</span>
      </h2>
      <div className="rounded-card border border-line bg-surface">
        <table className="w-full table-fixed text-left" aria-labelledby={id}>
          <thead>
            <tr className="h-9 border-line border-b text-ink-2 text-xs">
              {onSelectAll !== undefined && (
                <th scope="col" className="w-11 pl-3.5 print:hidden">
                  <input
                    type="checkbox"
                    aria-label={`Select all of ${group}`}
                    checked={chosen === rows.length}
                    ref={(box) => {
                      if (box !== null) box.indeterminate = chosen > 0 && chosen < rows.length;
                    }}
                    onChange={(event) =>
                      onSelectAll(
                        tasks.map((task) => task.id),
                        event.target.checked,
                      )
                    }
                    className="block size-4 accent-brand"
                  />
                </th>
              )}
              {COLUMNS.map(([name, width]) => (
                <th
                  key={name}
                  scope="col"
                  className={cx('px-2 font-medium', onSelectAll === undefined && 'first:pl-3.5', width)}
                >
                  {name}
                </th>
              ))}
              <th
                scope="col"
                className={cx(
                  'px-2 text-right font-medium print:hidden',
                  canEdit ? 'w-[13.25rem]' : 'w-[10.5rem]',
                )}
              >
                Actions
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TaskRow key={row.task.id} {...row} selectable={onSelectAll !== undefined} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const cell = 'px-2 py-1.5 align-middle';

const TaskRow = memo(function TaskRow(props: TaskRowProps & { selectable: boolean }) {
  const { task, today, isOwn, selectable, selected, onSelect, hrefOf } = props;
  const pending = usePending('task', task.id);
  const glow = useHighlight('task', task.id);
  return (
    <tr
      data-task={task.id}
      title={glow === undefined ? undefined : 'Just changed by someone else'}
      className={cx(
        'h-[3.25rem] border-line border-b text-ink-2 text-sm last:border-b-0 hover:bg-mute',
        glow !== undefined && 'bg-brand-soft',
      )}
    >
      {selectable && (
        <td className="pl-3.5 print:hidden">
          <input
            type="checkbox"
            aria-label={`Select ${task.taskNumber}`}
            checked={selected}
            onChange={(event) => onSelect(task.id, event.target.checked)}
            className="block size-4 accent-brand"
          />
        </td>
      )}
      <td className={cx(cell, 'text-xs tabular-nums', !selectable && 'pl-3.5')}>
        <span className="inline-flex items-center gap-1.5">
          {/* A building's code contains a number if another building's code starts with the same letters: "HAR1204-T0001". */}
          <span className={cx(task.taskNumber.length <= SHORT_NUMBER && 'whitespace-nowrap')}>
            {task.taskNumber}
          </span>
          {pending && <PendingDot />}
        </span>
      </td>
      <td className={cell}>
        <Link
          to={hrefOf(task.id)}
          state={{ opened: true }}
          className="line-clamp-2 font-medium text-base text-ink [overflow-wrap:anywhere] hover:underline"
        >
          {taskName(task)}
        </Link>
        <TaskNotes task={task} />
      </td>
      <td className={cell}>
        <TaskStatusMark task={task} today={today} />
      </td>
      <td className={cell}>
        <DueButton {...props} />
      </td>
      <td className={cell}>
        <LastCompleted {...props} />
      </td>
      <td className={cx(cell, '[overflow-wrap:anywhere]')}>
        <Responsible task={task} isOwn={isOwn} />
      </td>
      <td className={cell}>{frequencyText(task)}</td>
      <td className={cx(cell, 'print:hidden')}>
        <div className="flex items-center justify-end gap-1">
          <RowActions {...props} tight />
        </div>
      </td>
    </tr>
  );
});

/** The responsible person, with "(You)" for the signed-in person. */
export function Responsible({ task, isOwn }: Pick<TaskRowProps, 'task' | 'isOwn'>) {
  if (task.responsiblePerson === '') return <span className="text-ink-3">—</span>;
  return (
    <>
      {task.responsiblePerson}
      {isOwn && <b className="font-semibold text-brand"> (You)</b>}
    </>
  );
}
