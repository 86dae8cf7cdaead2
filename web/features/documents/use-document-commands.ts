import { useCallback, useMemo } from 'react';
import { browserMessages } from '#shared/features/document-browser-messages.ts';
import type {
  CreateFolderInput,
  Document,
  DocumentPlace,
  FolderTrail,
  UpdateDocumentInput,
} from '#shared/features/documents.ts';
import { documentMessages } from '#shared/features/documents-messages.ts';
import { fullName } from '#shared/names.ts';
import { wishesOf } from '../../forms/field-edits.ts';
import { tell, toastFailure } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { toastSuccess } from '../../ui/toast.ts';
import { useMe } from '../session/session-context.ts';
import { documentText } from './document-text.ts';

/** Makes a folder. It shows at once; rejects when refused. */
export function useCreateFolder() {
  const { mutate } = useLiveMutation();
  const me = useMe();
  return useCallback(
    (
      input: Omit<CreateFolderInput, 'operationId'>,
      { disciplineId, trail }: { disciplineId: string | null; trail: FolderTrail | undefined },
    ) => {
      const { id, buildingId, place, name, color } = input;
      const now = new Date().toISOString();
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

/** Changes a document's own fields, each with the value that the person saw. Shows at once; rejects when refused. */
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

type Hiding = { leave: (rows: readonly Document[]) => void; comeBack: (rows: readonly Document[]) => void };

/** Moving, deleting and restoring: each ends with a toast. What leaves its list does so at once. */
export function useDocumentCommands(buildingId: string, { leave, comeBack }: Hiding) {
  const { mutate } = useLiveMutation();

  const restore = useCallback(
    (id: string) =>
      tell(
        mutate({
          input: { id },
          send: (input, { signal }) => api.documents.restore.mutate(input, { signal }),
        }),
        { success: browserMessages.restored, failure: browserMessages.restoreFailed },
      ),
    [mutate],
  );

  const move = useCallback(
    async (documents: readonly Document[], to: DocumentPlace): Promise<void> => {
      leave(documents);
      try {
        const answer = await mutate({
          input: { buildingId, ids: documents.map(({ id }) => id), to },
          send: (input, { signal }) => api.documents.move.mutate(input, { signal }),
        });
        toastSuccess(documentText.moved(documents.length, answer.renamed));
      } catch (error) {
        comeBack(documents);
        toastFailure(error, documentMessages.moveFailed);
      }
    },
    [mutate, buildingId, leave, comeBack],
  );

  const remove = useCallback(
    async (documents: readonly Document[]): Promise<void> => {
      leave(documents);
      const words = documentText.removed(documents);
      try {
        await mutate({
          input: { buildingId, ids: documents.map(({ id }) => id) },
          send: (input, { signal }) => api.documents.remove.mutate(input, { signal }),
        });
        const [only, ...others] = documents;
        const undo = { label: 'Undo', onSelect: () => void restore(only?.id ?? '') };
        toastSuccess(words.success, only !== undefined && others.length === 0 ? undo : undefined);
      } catch (error) {
        comeBack(documents);
        toastFailure(error, words.failure);
      }
    },
    [mutate, buildingId, leave, comeBack, restore],
  );

  return useMemo(() => ({ move, remove, restore }), [move, remove, restore]);
}
