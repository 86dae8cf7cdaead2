import { useCallback } from 'react';
import type {
  CreateFolderInput,
  Document,
  FolderTrail,
  UpdateDocumentInput,
} from '#shared/features/documents/documents.ts';
import { fullName } from '#shared/text/names.ts';
import { wishesOf } from '../../forms/field-edits.ts';
import { presentInstant } from '../../lib/time/present-time.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { useMe } from '../session/session-context.ts';

/** Returns a function that creates a folder. The folder is shown at once; rejects if the server refuses the command. */
export function useCreateFolder() {
  const { mutate } = useLiveMutation();
  const me = useMe();
  return useCallback(
    (
      input: Omit<CreateFolderInput, 'operationId'>,
      { disciplineId, trail }: { disciplineId: string | null; trail: FolderTrail | undefined },
    ) => {
      const { id, buildingId, place, name, color } = input;
      const now = presentInstant();
      const folder: Document = {
        ...{ id, buildingId, disciplineId, isFolder: true, fileName: name, folderColor: color },
        parentFolderId: place.at === 'folder' ? place.folderId : null,
        folderPath: place.at === 'folder' ? (trail?.folders.map((each) => each.id) ?? [place.folderId]) : [],
        ...{ description: null, fileType: null, fileSize: null, sha256: null, currentVersion: null },
        ...{ hasThumbnail: false, expiresOn: null, proof: null },
        ...{ uploadedBy: me.id, uploadedByName: fullName(me), uploadedAt: now },
        ...{ modifiedByName: null, modifiedAt: now },
        ...{ deletedAt: null, deletedByName: null, deletedWith: null, version: 0 },
      };
      return mutate({
        input,
        overlay: { entity: 'document', id, base: undefined, patch: folder },
        send: (whole, { signal }) => api.documents.createFolder.mutate(whole, { signal }),
      });
    },
    [mutate, me],
  );
}

/**
 * Returns a function that changes a document's own fields, each sent with the value that the person saw before. The
 * changes are shown at once; rejects when refused.
 */
export function useUpdateDocument() {
  const { mutate } = useLiveMutation();
  return useCallback(
    (document: Document, changes: UpdateDocumentInput['changes']) =>
      mutate({
        input: { id: document.id, changes },
        overlay: { entity: 'document', id: document.id, base: document, patch: wishesOf(changes) },
        send: (input, { signal }) => api.documents.update.mutate(input, { signal }),
      }),
    [mutate],
  );
}
