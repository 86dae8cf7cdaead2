import { CalendarClock } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { formatDay } from '#shared/dates.ts';
import { Popover } from '../../../ui/dialogs/popover.tsx';
import { ScheduleField } from '../form/schedule-field.tsx';
import { DueDate } from '../record/task-facts.tsx';
import type { TaskRowProps } from '../task-actions.ts';

type Props = Pick<TaskRowProps, 'task' | 'today' | 'canEdit' | 'actions'>;

/** The due date. If the person may move the date, it is a button that opens Schedule. */
export function DueButton({ task, today, canEdit, actions }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    // If the person clicked outside, the focus must stay there.
    const inside = root.current?.contains(document.activeElement) === true;
    setOpen(false);
    if (inside) button.current?.focus();
  }, []);
  if (!canEdit || task.check !== null || task.retiredAt !== null) {
    return <DueDate task={task} today={today} />;
  }
  const label = `Due ${formatDay(task.due)}: schedule`;
  return (
    <div ref={root} className="relative">
      <DueDate
        task={task}
        today={today}
        day={
          <button
            ref={button}
            type="button"
            aria-haspopup="dialog"
            aria-expanded={open}
            aria-label={label}
            title={label}
            onClick={() => (open ? close() : setOpen(true))}
            className="-mx-2 flex h-6 w-fit items-center gap-1.5 rounded-control px-2 text-ink tabular-nums hover:bg-mute pointer-coarse:h-12"
          >
            <time dateTime={task.due}>{formatDay(task.due)}</time>
            <CalendarClock size={14} aria-hidden className="text-ink-3 print:hidden" />
          </button>
        }
      />
      {open && (
        <Popover within={root} onClose={close} className="p-3 sm:w-72">
          <ScheduleField task={task} today={today} actions={actions} autoFocus onScheduled={close} />
        </Popover>
      )}
    </div>
  );
}
