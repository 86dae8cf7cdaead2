import { type ReactNode, useMemo } from 'react';
import { formatDateTime, formatDay } from '#shared/dates.ts';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { type Document, updateDocumentInput } from '#shared/features/documents/documents.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { conflictHint } from '../../../forms/conflict-hint.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { useRowForm } from '../../../forms/use-row-form.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { isChangeable, useBrowser } from '../browser/browser-context.ts';
import { oneDocument } from '../data/documents.live.ts';
import { fileKind } from '../file-kind.ts';
import { disciplineName } from '../items.ts';
import { useUpdateDocument } from '../use-document-commands.ts';
import { ColourPicker } from './colour-picker.tsx';

const schema = updateDocumentInput.omit({ operationId: true });

type Props = { document: Document; onClose: () => void };

/** The details of a document; people who may manage documents can change its description and expiry. */
export default function DetailsDialog({ document, onClose }: Props) {
  const { canManage } = useBrowser();
  return (
    <Dialog open onClose={onClose} title="Details" subtitle={document.fileName} size="md">
      <div className="grid gap-5">
        <Facts document={document} />
        {!document.isFolder && <Versions id={document.id} />}
        {canManage && isChangeable(document) && <DetailsForm document={document} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

function Facts({ document }: { document: Document }) {
  const { disciplineOf, canManage } = useBrowser();
  const { fileSize, expiresOn, description, proof } = document;
  const discipline = disciplineOf(document.disciplineId);
  const editable = canManage && isChangeable(document);
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
      {discipline !== undefined && <Fact name="Discipline">{disciplineName(discipline)}</Fact>}
      {fileSize !== null && <Fact name="Size">{formatFileSize(fileSize, 'Bytes')}</Fact>}
      {!document.isFolder && <Fact name="Type">{fileKind(document).name}</Fact>}
      <Fact name={document.isFolder ? 'Created' : 'Uploaded'}>
        {`${formatDateTime(document.uploadedAt)} by ${document.uploadedByName}`}
      </Fact>
      {document.modifiedByName !== null && (
        <Fact name="Modified">{`${formatDateTime(document.modifiedAt)} by ${document.modifiedByName}`}</Fact>
      )}
      {!editable && expiresOn !== null && <Fact name="Expires">{formatDay(expiresOn)}</Fact>}
      {!editable && description !== null && (
        <Fact name="Description">
          <span className="whitespace-pre-wrap">{description}</span>
        </Fact>
      )}
      {proof !== null && <Fact name="Proof">{browserMessages.certificate(proof.taskNumber)}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

/** The versions of a file; renders nothing for a single version. */
function Versions({ id }: { id: string }) {
  const { data } = useLiveQuery(
    oneDocument,
    useMemo(() => ({ id }), [id]),
  );
  if (data === undefined || data.versions.length < 2) return null;
  return (
    <section>
      <h3 className="mb-1.5 font-semibold">Versions</h3>
      <ul className="divide-y divide-line rounded-control border border-line">
        {data.versions.map(({ id: versionId, number, fileSize, uploadedAt, uploadedByName }) => (
          <li key={versionId} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
            <span className="font-medium tabular-nums">{`Version ${number}`}</span>
            {number === data.document.currentVersion && <Badge tone="brand">Current</Badge>}
            <span className="text-ink-2 tabular-nums">{formatFileSize(fileSize, 'Bytes')}</span>
            <span className="text-ink-2 sm:ml-auto">{`${formatDateTime(uploadedAt)} by ${uploadedByName}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DetailsForm({ document, onClose }: Props) {
  const update = useUpdateDocument();
  const form = useRowForm({
    row: document,
    schema,
    input: ({ description, expiresOn, folderColor }) => ({
      id: document.id,
      changes: {
        ...(description && { description }),
        ...(expiresOn && { expiresOn }),
        ...(folderColor && { folderColor }),
      },
    }),
    send: (input, row) => update(row, input.changes),
    about: document.fileName,
    success: browserMessages.detailsSaved,
    failure: browserMessages.detailsFailed,
    onUnchanged: onClose,
    onSent: onClose,
  });
  const { folderColor } = form.values;
  return (
    <CommandForm form={form} className="grid gap-4 border-line border-t pt-4">
      <TextArea
        label="Description"
        rows={3}
        hint={conflictHint(form, 'description')}
        {...form.optional('description')}
      />
      {document.isFolder ? (
        folderColor !== null && (
          <ColourPicker value={folderColor} onChange={(color) => form.set('folderColor', color)} />
        )
      ) : (
        <TextField
          label="Expires on"
          type="date"
          className="sm:w-52"
          hint={conflictHint(form, 'expiresOn', (day) => (day === null ? 'None' : formatDay(day)))}
          {...form.optional('expiresOn')}
        />
      )}
      <FormActions form={form} action="Save" pending="Saving..." />
    </CommandForm>
  );
}
