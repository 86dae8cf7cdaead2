import { useState } from 'react';
import { addMonths } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { TASK_REASON_MAX, TASK_RESPONSIBLE_MAX, taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { ResponsibleFields } from '../form/responsible-fields.tsx';

export type SelectionChange = 'reassign' | 'reschedule' | 'retire';

type Props = {
  what: SelectionChange;
  buildingId: string;
  selected: readonly Task[];
  today: string;
  onChanged: () => void;
  onClose: () => void;
};

const TITLES: Readonly<Record<SelectionChange, string>> = {
  reassign: 'Reassign tasks',
  reschedule: 'Reschedule tasks',
  retire: 'Retire tasks',
};

/** Maximum number of names of selected tasks that are listed. */
const NAMED = 3;

/** Changes all selected tasks of a building in one command. */
export default function SelectionDialog({ what, onChanged, onClose, ...props }: Props) {
  // The selection when the dialog opened; the server refuses tasks that have left the list since.
  const [selected] = useState(props.selected);
  const Form = FORMS[what];
  const done = () => {
    onChanged();
    onClose();
  };
  return (
    <Dialog
      open
      size={what === 'reassign' ? 'md' : 'sm'}
      onClose={onClose}
      title={TITLES[what]}
      subtitle={`${selected.length} selected: ${namesOf(selected)}`}
    >
      <Form {...props} selected={selected} onDone={done} />
    </Dialog>
  );
}

function namesOf(tasks: readonly Task[]): string {
  const names = tasks.slice(0, NAMED).map((task) => `${task.taskNumber} ${taskName(task).slice(0, 60)}`);
  const more = tasks.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

type FormProps = Pick<Props, 'buildingId' | 'selected' | 'today'> & { onDone: () => void };

const FORMS = { reassign: ReassignForm, reschedule: RescheduleForm, retire: RetireForm } as const;
const loadInputs = () => import('#shared/features/tasks/tasks.ts');

function ReassignForm({ buildingId, selected, onDone }: FormProps) {
  const { mutate } = useLiveMutation();
  const form = useCommandForm({
    blank: NOBODY,
    schema: async () => (await loadInputs()).reassignTasksInput.omit({ operationId: true }),
    input: (values) => ({ ids: selected.map(({ id }) => id), ...values }),
    send: (input) =>
      mutate({ input, send: (sent, { signal }) => api.tasks.reassign.mutate(sent, { signal }) }),
    success: ({ changed }) => taskMessages.reassignedAll(changed),
    failure: taskMessages.reassignFailed,
    onSent: onDone,
  });
  return (
    <CommandForm form={form}>
      <ResponsibleFields
        buildingId={buildingId}
        text={{ ...form.text('responsiblePerson'), maxLength: TASK_RESPONSIBLE_MAX }}
        person={form.values.responsibleId}
        personError={form.errors['responsibleId']}
        onPerson={(id, name) => {
          form.set('responsibleId', id);
          if (form.values.responsiblePerson === '') form.set('responsiblePerson', name);
        }}
        disabled={form.busy}
      />
      <FormActions form={form} action="Reassign" pending="Reassigning..." />
    </CommandForm>
  );
}
const NOBODY: { responsiblePerson: string; responsibleId: string | null } = {
  responsiblePerson: '',
  responsibleId: null,
};

function RescheduleForm({ selected, today, onDone }: FormProps) {
  const { mutate } = useLiveMutation();
  const movable = selected.filter(({ check }) => check === null);
  const kept = selected.length - movable.length;
  const form = useCommandForm({
    blank: { due: '' },
    schema: async () => (await loadInputs()).rescheduleTasksInput.omit({ operationId: true }),
    input: ({ due }) => ({ tasks: movable.map(({ id, occurrence }) => ({ id, occurrence })), due }),
    send: (input) =>
      mutate({ input, send: (sent, { signal }) => api.tasks.reschedule.mutate(sent, { signal }) }),
    success: ({ changed }) => taskMessages.rescheduledAll(changed),
    failure: taskMessages.rescheduleFailed,
    onSent: onDone,
  });
  return (
    <CommandForm form={form}>
      {kept > 0 && (
        <p className="mb-3 rounded-control bg-info-soft px-3 py-2 text-info">
          {movable.length === 0 ? taskMessages.allKeepTheirDates : taskMessages.keepTheirDates(kept)}
        </p>
      )}
      <TextField
        label="New due date"
        type="date"
        min={today}
        max={addMonths(today, 12 * 10)}
        autoFocus
        disabled={movable.length === 0}
        {...form.text('due')}
      />
      <FormActions
        form={form}
        action="Reschedule"
        pending="Rescheduling..."
        disabled={movable.length === 0}
      />
    </CommandForm>
  );
}

function RetireForm({ selected, onDone }: FormProps) {
  const { mutate } = useLiveMutation();
  const form = useCommandForm({
    blank: { reason: '' },
    schema: async () => (await loadInputs()).retireTasksInput.omit({ operationId: true }),
    input: ({ reason }) => ({ ids: selected.map(({ id }) => id), reason }),
    send: (input) =>
      mutate({ input, send: (sent, { signal }) => api.tasks.retireAll.mutate(sent, { signal }) }),
    success: ({ changed }) => taskMessages.retiredAll(changed),
    failure: taskMessages.retireAllFailed,
    onSent: onDone,
  });
  return (
    <CommandForm form={form}>
      <TextArea
        label="Reason"
        hint="Their records are kept, and each can be restored."
        rows={3}
        autoFocus
        {...form.text('reason')}
        maxLength={TASK_REASON_MAX}
      />
      <FormActions form={form} action="Retire tasks" pending="Retiring..." variant="danger" />
    </CommandForm>
  );
}
