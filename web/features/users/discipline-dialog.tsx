import { type FormEvent, type ReactNode, useState } from 'react';
import {
  addDisciplineInput,
  type Discipline,
  renameDisciplineInput,
} from '#shared/features/disciplines/disciplines.ts';
import { disciplineMessages } from '#shared/features/disciplines/disciplines-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { conflictHint } from '../../forms/conflict-hint.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { type FormPart, useCommandForm } from '../../forms/use-command-form.ts';
import { useRowForm } from '../../forms/use-row-form.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useDisciplineCommands } from './use-disciplines.ts';

const addSchema = addDisciplineInput.omit({ operationId: true });
const renameSchema = renameDisciplineInput.omit({ operationId: true });

/** Dialog that adds a discipline. */
export function AddDisciplineDialog({ onClose }: { onClose: () => void }) {
  const { add } = useDisciplineCommands();
  const [blank] = useState(() => ({ id: uuidv7(), name: '' }));
  const form = useCommandForm({
    blank,
    schema: addSchema,
    send: add,
    about: (_answer, { name }) => name,
    success: disciplineMessages.added,
    failure: disciplineMessages.addFailed,
    duplicateAt: 'name',
    onSent: onClose,
  });
  return <NameDialog title="Add Discipline" action="Add Discipline" form={form} onClose={onClose} />;
}

/** Dialog that renames a discipline. */
export function EditDisciplineDialog({
  discipline,
  onClose,
}: {
  discipline: Discipline;
  onClose: () => void;
}) {
  const { rename } = useDisciplineCommands();
  const form = useRowForm({
    row: discipline,
    schema: renameSchema,
    input: ({ name }) => ({ id: discipline.id, name }),
    send: (input, row) => rename(row, input),
    about: (_answer, { name }) => name.to,
    success: disciplineMessages.updated,
    failure: disciplineMessages.updateFailed,
    duplicateAt: 'name',
    onUnchanged: onClose,
    onSent: onClose,
  });
  const hint = conflictHint(form, 'name');
  return <NameDialog title="Edit Discipline" action="Save" form={form} hint={hint} onClose={onClose} />;
}

type Props = {
  title: string;
  action: string;
  form: FormPart<{ name: string }>;
  hint?: ReactNode;
  onClose: () => void;
};

function NameDialog({ title, action, form, hint, onClose }: Props) {
  const named = {
    ...form,
    onSubmit(event: FormEvent) {
      // Enter does nothing while the name is blank (specification).
      if (form.values.name.trim() === '') event.preventDefault();
      else form.onSubmit(event);
    },
  };
  return (
    <Dialog open onClose={onClose} title={title} size="sm">
      <CommandForm form={named}>
        <TextField label="Discipline Name" autoFocus autoComplete="off" hint={hint} {...form.text('name')} />
        <FormActions form={form} action={action} />
      </CommandForm>
    </Dialog>
  );
}
