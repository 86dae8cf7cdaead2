import type { Task } from '#shared/features/tasks/tasks.ts';
import { TASK_REASON_MAX, taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { presentInstant } from '../../lib/time/present-time.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import type { ReasonDialogOf } from './task-actions.ts';

type Props = {
  dialog: ReasonDialogOf;
  /** Today's date for the organisation. */
  today: string;
  onClose: () => void;
};

type Words = {
  title: string;
  hint: string;
  action: string;
  pending: string;
  success: string;
  failure: string;
};

/** Asks for the reason of a mark, of retiring, or of undoing a completion or mark; the reason stays in the record. */
export default function ReasonDialog({ dialog, today, onClose }: Props) {
  const { mutate } = useLiveMutation();
  const { task } = dialog;
  const words = wordsOf(dialog);
  const form = useCommandForm({
    blank: { reason: '' },
    schema: reasonSchema,
    send: ({ reason }: { reason: string }) => {
      const overlay = {
        entity: 'task' as const,
        id: task.id,
        base: task,
        patch: patchOf(dialog, { reason, today, now: presentInstant() }),
      };
      if (dialog.what === 'undo') {
        return mutate({
          input: { id: task.id, lineId: dialog.lineId, reason },
          overlay,
          send: (input, { signal }) => api.tasks.undo.mutate(input, { signal }),
        });
      }
      const command = dialog.what === 'mark' ? api.tasks.mark : api.tasks.retire;
      return mutate({
        input: { id: task.id, reason },
        overlay,
        send: (input, { signal }) => command.mutate(input, { signal }),
      });
    },
    about: task.taskNumber,
    success: words.success,
    failure: words.failure,
    onSent: onClose,
  });
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={words.title}
      subtitle={`${task.taskNumber} ${taskName(task)}`}
    >
      <CommandForm form={form}>
        <TextArea
          label="Reason"
          hint={words.hint}
          rows={3}
          autoFocus
          {...form.text('reason')}
          maxLength={TASK_REASON_MAX}
        />
        <FormActions
          form={form}
          action={words.action}
          pending={words.pending}
          variant={dialog.what === 'undo' ? 'primary' : 'danger'}
        />
      </CommandForm>
    </Dialog>
  );
}

async function reasonSchema() {
  const { reasonedTaskInput } = await import('#shared/features/tasks/tasks.ts');
  return reasonedTaskInput.pick({ reason: true });
}

function wordsOf(dialog: ReasonDialogOf): Words {
  switch (dialog.what) {
    case 'mark':
      return {
        title: 'Mark non-compliant',
        hint: 'A completion on or after today ends the mark.',
        action: 'Mark non-compliant',
        pending: 'Marking...',
        success: taskMessages.marked,
        failure: taskMessages.statusFailed,
      };
    case 'retire':
      return {
        title: 'Retire task',
        hint: 'Its record is kept, and it can be restored.',
        action: 'Retire task',
        pending: 'Retiring...',
        success: taskMessages.retiredOne,
        failure: taskMessages.retireFailed,
      };
    case 'undo':
      return {
        title: dialog.of === 'mark' ? 'Undo the mark' : 'Undo the completion',
        hint: 'The line stays in the record, struck through, with this reason.',
        action: 'Undo',
        pending: 'Undoing...',
        success: taskMessages.undone,
        failure: taskMessages.undoFailed,
      };
  }
}

/** Returns the fields to show until the server answers. Only the server can compute the task after an undone completion. */
function patchOf(
  dialog: ReasonDialogOf,
  { reason, today, now }: { reason: string; today: string; now: string },
): Partial<Task> {
  switch (dialog.what) {
    case 'mark':
      return { markedOn: today, markReason: reason, occurrence: dialog.task.occurrence + 1 };
    case 'retire':
      return { retiredAt: now, retireReason: reason };
    case 'undo':
      return dialog.of === 'mark' ? { markedOn: null, markReason: null } : {};
  }
}
