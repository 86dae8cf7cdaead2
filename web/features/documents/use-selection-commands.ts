import { useCallback, useMemo } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import type { Document, DocumentPlace } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { tell, toastFailure } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { toastSuccess } from '../../ui/feedback/toast.ts';
import { documentText } from './document-text.ts';
import { type UndoMove, undoMove } from './undo-move.ts';

type Hiding = { leave: (rows: readonly Document[]) => void; comeBack: (rows: readonly Document[]) => void };

/**
 * Commands that move, delete and restore. Each ends with a toast, with Undo where possible. Moved and deleted documents
 * leave the list at once.
 */
export function useSelectionCommands(buildingId: string, { leave, comeBack }: Hiding) {
  const { mutate } = useLiveMutation();

  const restore = useCallback(
    ({ id, fileName }: Pick<Document, 'id' | 'fileName'>) =>
      tell(
        mutate({
          input: { id },
          send: (input, { signal }) => api.documents.restore.mutate(input, { signal }),
        }),
        { about: fileName, success: browserMessages.restored, failure: browserMessages.restoreFailed },
      ),
    [mutate],
  );

  const sendMove = useCallback(
    (ids: readonly string[], to: DocumentPlace) =>
      mutate({
        input: { buildingId, ids: [...ids], to },
        send: (input, { signal }) => api.documents.move.mutate(input, { signal }),
      }),
    [mutate, buildingId],
  );

  const takeBack = useCallback(
    async ({ moves, renames }: UndoMove): Promise<void> => {
      try {
        for (const { ids, to } of moves) await sendMove(ids, to);
        for (const { id, fileName } of renames) {
          await mutate({
            input: { id, changes: { fileName } },
            send: (input, { signal }) => api.documents.update.mutate(input, { signal }),
          });
        }
        toastSuccess(browserMessages.movedBack);
      } catch (error) {
        toastFailure(error, browserMessages.moveBackFailed);
      }
    },
    [mutate, sendMove],
  );

  const move = useCallback(
    async (documents: readonly Document[], to: DocumentPlace): Promise<void> => {
      leave(documents);
      try {
        const { renamed } = await sendMove(
          documents.map(({ id }) => id),
          to,
        );
        const back = undoMove(documents, renamed);
        const undo = back && { label: 'Undo', onSelect: () => void takeBack(back) };
        toastSuccess(documentText.moved(documents.length, renamed), {
          about: onlyName(documents),
          action: undo,
        });
      } catch (error) {
        comeBack(documents);
        toastFailure(error, documentMessages.moveFailed);
      }
    },
    [sendMove, takeBack, leave, comeBack],
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
        const undo = { label: 'Undo', onSelect: () => only && void restore(only) };
        toastSuccess(words.success, {
          about: onlyName(documents),
          action: others.length === 0 ? undo : undefined,
        });
      } catch (error) {
        comeBack(documents);
        toastFailure(error, words.failure);
      }
    },
    [mutate, buildingId, leave, comeBack, restore],
  );

  return useMemo(() => ({ move, remove, restore }), [move, remove, restore]);
}

/** Returns the title of a toast about one document; for several documents the text contains their number instead. */
function onlyName([only, ...others]: readonly Document[]): string | undefined {
  return others.length === 0 ? only?.fileName : undefined;
}
