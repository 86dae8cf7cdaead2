import { useMemo, useState } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import type { Document, DocumentPlace, FolderTrail } from '#shared/features/documents/documents.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { FolderTree } from '../browser/folder-tree.tsx';
import { useDocumentRoot } from '../data/use-place.ts';
import { documentText } from '../document-text.ts';
import { folderOf, isSamePlace } from '../documents-url.ts';
import { containerOf } from '../items.ts';

type Props = {
  buildingId: string;
  documents: readonly Document[];
  /** The opened place, which the tree shows first. */
  here: DocumentPlace;
  trail: FolderTrail | undefined;
  onMove: (to: DocumentPlace) => void;
  onClose: () => void;
};

/** Moves documents to a folder selected in a tree: the alternative to dragging, for keyboard and touch. */
export default function MoveDialog({ buildingId, documents, here, trail, onMove, onClose }: Props) {
  const root = useDocumentRoot(buildingId);
  const [to, setTo] = useState<DocumentPlace>();
  const moved = useMemo(() => new Set(documents.map(({ id }) => id)), [documents]);
  const opened = useMemo(() => placesOnTheWay(here, trail), [here, trail]);
  const [only, ...others] = documents;
  const folders = documents.filter(({ isFolder }) => isFolder).length;
  return (
    <ConfirmDialog
      title="Move"
      subtitle={
        only !== undefined && others.length === 0
          ? only.fileName
          : documentText.contents({ folders, files: documents.length - folders })
      }
      action="Move here"
      variant="primary"
      disabled={to === undefined}
      onConfirm={() => to !== undefined && onMove(to)}
      onClose={onClose}
    >
      <p className="mb-2 text-ink-2">{browserMessages.moveHere}</p>
      <FolderTree
        buildingId={buildingId}
        disciplines={root.value?.disciplines}
        opened={opened}
        isMoved={(id) => moved.has(id)}
        isTaken={(place) => documents.every((document) => isSamePlace(containerOf(document), place))}
        value={to}
        onChange={setTo}
      />
    </ConfirmDialog>
  );
}

/** Returns the names, as in URLs, of the opened place and the places above it. */
function placesOnTheWay(here: DocumentPlace, trail: FolderTrail | undefined): ReadonlySet<string> {
  const places: DocumentPlace[] = here.at === 'building' ? [] : [here];
  if (trail !== undefined) {
    places.push({ at: 'discipline', disciplineId: trail.disciplineId });
    places.push(...trail.folders.map(({ id }): DocumentPlace => ({ at: 'folder', folderId: id })));
  }
  return new Set(places.flatMap((place) => folderOf(place) ?? []));
}
