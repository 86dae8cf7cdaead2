import { type FormEvent, useState } from 'react';
import type { DocumentPlace, FolderTrail } from '#shared/features/documents/documents.ts';
import { createFolderInput } from '#shared/features/documents/documents.ts';
import { DEFAULT_FOLDER_COLOR, type FolderColor } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useCreateFolder } from '../use-document-commands.ts';
import { ColourPicker } from './colour-picker.tsx';

const schema = createFolderInput.omit({ operationId: true });
const BLANK: { name: string; color: FolderColor } = { name: '', color: DEFAULT_FOLDER_COLOR };

type Props = {
  buildingId: string;
  place: DocumentPlace;
  trail: FolderTrail | undefined;
  /** The names on the path to the place, without the root. */
  names: readonly string[];
  discipline: { id: string | null; name: string } | undefined;
  onClose: () => void;
};

/** Dialog 'Create New Folder'; shows the place of the new folder. */
export default function NewFolderDialog({ buildingId, place, trail, names, discipline, onClose }: Props) {
  const create = useCreateFolder();
  const [id] = useState(uuidv7);
  const form = useCommandForm({
    blank: BLANK,
    schema,
    input: (values) => ({ id, buildingId, place, ...values }),
    send: (input) => create(input, { disciplineId: discipline?.id ?? null, trail }),
    about: (_answer, { name }) => name,
    success: documentMessages.folderCreated,
    failure: documentMessages.folderCreateFailed,
    duplicateAt: 'name',
    onSent: onClose,
  });
  const isBlank = form.values.name.trim() === '';
  const named = {
    ...form,
    onSubmit(event: FormEvent) {
      // Enter does nothing while the name is blank (specification).
      if (isBlank) event.preventDefault();
      else form.onSubmit(event);
    },
  };
  return (
    <Dialog open onClose={onClose} title={documentMessages.newFolder} size="sm">
      <CommandForm form={named} className="grid gap-4">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
          <dt className="text-ink-2">Path</dt>
          <dd className="font-medium [overflow-wrap:anywhere]">
            {names.length === 0 ? documentMessages.rootPath : names.join(' > ')}
          </dd>
          {discipline !== undefined && (
            <>
              <dt className="text-ink-2">Discipline</dt>
              <dd className="font-medium [overflow-wrap:anywhere]">{discipline.name}</dd>
            </>
          )}
        </dl>
        <TextField
          label={documentMessages.folderNameLabel}
          autoFocus
          autoComplete="off"
          {...form.text('name')}
        />
        <ColourPicker value={form.values.color} onChange={(color) => form.set('color', color)} />
        <FormActions form={form} action={documentMessages.createFolder} disabled={isBlank} />
      </CommandForm>
    </Dialog>
  );
}
