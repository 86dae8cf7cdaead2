import { useState } from 'react';
import { addMonths } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { controlStyle } from '../../ui/field.tsx';
import type { TaskRowProps } from './task-actions.ts';

type Props = Pick<TaskRowProps, 'task' | 'today' | 'actions'> & { tight: boolean };

/** A date, and the button that moves the present occurrence to it. */
export function ScheduleField({ task, today, actions, tight }: Props) {
  const [due, setDue] = useState('');
  const [busy, setBusy] = useState(false);

  async function schedule() {
    setBusy(true);
    const to = due;
    const scheduled = await actions.schedule(task, to);
    setBusy(false);
    // Another date may have been typed meanwhile.
    if (scheduled) setDue((now) => (now === to ? '' : now));
  }

  return (
    <form
      // A day out of range is refused with a sentence of its own.
      noValidate
      className={cx('flex min-w-0 gap-1', !tight && 'order-last basis-full gap-2')}
      onSubmit={(event) => {
        event.preventDefault();
        if (due !== '' && !busy) void schedule();
      }}
    >
      <input
        type="date"
        aria-label={nameOf(task)}
        value={due}
        min={today}
        // As `isScheduleDay` allows.
        max={addMonths(today, 12 * 10)}
        onChange={(event) => setDue(event.target.value)}
        className={cx(
          controlStyle,
          'h-[30px] min-w-0 text-sm pointer-coarse:h-12',
          tight ? 'w-[8.25rem] px-1.5' : 'flex-1 px-3',
          due === '' && 'text-ink-3',
        )}
      />
      <Button type="submit" size="sm" className={cx(tight && 'px-2')} disabled={due === '' || busy}>
        Schedule
      </Button>
    </form>
  );
}

function nameOf({ taskNumber }: Task): string {
  return `New due date of ${taskNumber}`;
}
