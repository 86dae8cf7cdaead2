import { useRef, useState } from 'react';
import { addMonths } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { messages } from '#shared/messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { toastError } from '../../../ui/feedback/toast.ts';
import { controlStyle } from '../../../ui/fields/field.tsx';
import type { TaskRowProps } from '../task-actions.ts';

type Props = Pick<TaskRowProps, 'task' | 'today' | 'actions'> & {
  autoFocus?: boolean;
  /** Called once the occurrence has been moved, unless another date was typed in the meantime. */
  onScheduled?: () => void;
};

/** A date field, and the button that moves the present occurrence to that date. */
export function ScheduleField({ task, today, actions, autoFocus, onScheduled }: Props) {
  const [due, setDue] = useState('');
  const [busy, setBusy] = useState(false);
  /** Whether the typed text is not a date, such as 31 February or an incomplete date; the field's value is then empty. */
  const [unreadable, setUnreadable] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function submit(): void {
    if (busy) return;
    if (due !== '') return void schedule();
    if (!unreadable) return;
    toastError(`${taskMessages.scheduleFailed}. ${messages.common.dateInvalid}`);
    field.current?.focus();
  }

  async function schedule() {
    setBusy(true);
    const to = due;
    const scheduled = await actions.schedule(task, to);
    setBusy(false);
    if (!scheduled) return;
    // Once the date is cleared, the button is disabled and loses the focus, which would jump to the top of the page.
    if (field.current?.form?.contains(document.activeElement) === true) field.current.focus();
    if (field.current?.value !== to) return;
    setDue('');
    onScheduled?.();
  }

  return (
    <form
      // The app, not the browser, shows the message for a day out of range.
      noValidate
      className="flex min-w-0 gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input
        ref={field}
        type="date"
        // biome-ignore lint/a11y/noAutofocus: it is opened to type a date
        autoFocus={autoFocus}
        aria-invalid={(due === '' && unreadable) || undefined}
        aria-label={nameOf(task)}
        value={due}
        min={today}
        // The maximum of `isScheduleDay`.
        max={addMonths(today, 12 * 10)}
        onChange={(event) => setDue(event.target.value)}
        // A text that is not a date fires no change event.
        onKeyUp={({ currentTarget }) => setUnreadable(currentTarget.validity.badInput)}
        className={cx(
          controlStyle,
          'h-9 min-w-0 flex-1 px-3 pointer-coarse:h-12',
          due === '' && 'text-ink-3',
        )}
      />
      <Button type="submit" disabled={due === '' && !unreadable}>
        Schedule
      </Button>
    </form>
  );
}

function nameOf({ taskNumber }: Task): string {
  return `New due date of ${taskNumber}`;
}
