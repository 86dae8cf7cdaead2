import type { FocusEvent } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { type Document, updateDocumentInput } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { conflictHint } from '../../../forms/conflict-hint.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { useRowForm } from '../../../forms/use-row-form.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useUpdateDocument } from '../use-document-commands.ts';

const schema = updateDocumentInput.omit({ operationId: true });

/** Renames a document or folder. At first the name is selected, without its extension. */
export default function RenameDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const update = useUpdateDocument();
  const form = useRowForm({
    row: document,
    schema,
    input: ({ fileName }) => ({ id: document.id, changes: fileName === undefined ? {} : { fileName } }),
    send: (input, row) => update(row, input.changes),
    about: (_answer, { changes }) => changes.fileName?.to ?? document.fileName,
    success: browserMessages.renamed,
    failure: browserMessages.renameFailed,
    duplicateAt: 'fileName',
    onUnchanged: onClose,
    onSent: onClose,
  });
  return (
    <Dialog open onClose={onClose} title="Rename" subtitle={document.fileName} size="sm">
      <CommandForm form={form}>
        <TextField
          label={document.isFolder ? documentMessages.folderNameLabel : 'File Name'}
          autoFocus
          autoComplete="off"
          onFocus={document.isFolder ? selectAll : selectStem}
          hint={conflictHint(form, 'fileName')}
          {...form.text('fileName')}
        />
        <FormActions form={form} action="Rename" pending="Renaming..." />
      </CommandForm>
    </Dialog>
  );
}

function selectAll({ target }: FocusEvent<HTMLInputElement>): void {
  target.select();
}

function selectStem({ target }: FocusEvent<HTMLInputElement>): void {
  const dot = target.value.lastIndexOf('.');
  target.setSelectionRange(0, dot > 0 ? dot : target.value.length);
}
