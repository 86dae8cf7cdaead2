import { lazy, Suspense } from 'react';
import type {
  DisciplineContents,
  Document,
  DocumentPlace,
  FolderTrail,
} from '#shared/features/documents/documents.ts';
import { type DocumentDialog, useBrowser } from '../browser/browser-context.ts';
import { disciplineName, type Item } from '../items.ts';

const NewFolderDialog = lazy(() => import('./new-folder-dialog.tsx'));
const RenameDialog = lazy(() => import('./rename-dialog.tsx'));
const DetailsDialog = lazy(() => import('./details-dialog.tsx'));
const MoveDialog = lazy(() => import('./move-dialog.tsx'));
const DeleteDialog = lazy(() => import('./delete-dialog.tsx'));

/** The opened place. */
export type Here = {
  place: DocumentPlace;
  trail: FolderTrail | undefined;
  /** The names on the path to the place, without the root. */
  names: readonly string[];
  discipline: DisciplineContents | undefined;
};

type Props = {
  dialog: DocumentDialog | undefined;
  items: readonly Item[];
  here: Here;
  onMove: (documents: readonly Document[], to: DocumentPlace) => void;
  onRemove: (documents: readonly Document[]) => void;
  onClose: () => void;
};

/** The open dialog about documents; the code of each is loaded when it first opens. */
export function DocumentDialogs(props: Props) {
  return (
    <Suspense fallback={null}>
      <Opened {...props} />
    </Suspense>
  );
}

function Opened({ dialog, items, here, onMove, onRemove, onClose }: Props) {
  const { buildingId, canManage } = useBrowser();
  if (dialog === undefined) return null;
  if (dialog.what === 'details') {
    return <DetailsDialog document={presentOf(dialog.document, items)} onClose={onClose} />;
  }
  // The person may lose the permission while a dialog is open.
  if (!canManage) return null;
  switch (dialog.what) {
    case 'newFolder':
      return (
        <NewFolderDialog
          buildingId={buildingId}
          place={here.place}
          trail={here.trail}
          names={here.names}
          discipline={
            here.discipline && { id: here.discipline.disciplineId, name: disciplineName(here.discipline) }
          }
          onClose={onClose}
        />
      );
    case 'rename':
      return <RenameDialog document={presentOf(dialog.document, items)} onClose={onClose} />;
    case 'move':
      return (
        <MoveDialog
          buildingId={buildingId}
          documents={dialog.documents}
          here={here.place}
          trail={here.trail}
          onMove={(to) => {
            onClose();
            onMove(dialog.documents, to);
          }}
          onClose={onClose}
        />
      );
    case 'delete':
      return (
        <DeleteDialog
          documents={dialog.documents}
          onConfirm={() => {
            onClose();
            onRemove(dialog.documents);
          }}
          onClose={onClose}
        />
      );
  }
}

/** Returns the current version of a document: other people may change it while the dialog is open. */
function presentOf(document: Document, items: readonly Item[]): Document {
  const item = items.find(({ id }) => id === document.id);
  return item === undefined || item.kind === 'discipline' ? document : item.document;
}
