import { useQuery } from '@tanstack/react-query';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import type { Document } from '#shared/features/documents/documents.ts';
import { BIN_DAYS } from '#shared/features/documents/documents.vocabulary.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { documentText } from '../document-text.ts';

type Props = { documents: readonly Document[]; onConfirm: () => void; onClose: () => void };

/** Asks for confirmation before documents go to the bin. Shows how many documents the folders contain, at all depths. */
export default function DeleteDialog({ documents, onConfirm, onClose }: Props) {
  const ids = documents.map(({ id }) => id);
  const hasFolders = documents.some(({ isFolder }) => isFolder);
  // Fetched once: the number in the question must not change while the person reads.
  const counted = useQuery({
    queryKey: ['documents.subtree', ids],
    queryFn: ({ signal }) => api.documents.subtree.query({ ids }, { signal }),
    enabled: hasFolders,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const contents = hasFolders ? counted.data?.data : { files: documents.length, folders: 0 };
  const [only, ...others] = documents;
  return (
    <ConfirmDialog
      title={
        only !== undefined && others.length === 0 ? `Delete ${only.fileName}?` : browserMessages.deleteTitle
      }
      action="Delete"
      disabled={contents === undefined && counted.status !== 'error'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className="grid gap-1.5" aria-live="polite">
        <p>
          {contents !== undefined
            ? browserMessages.deleteQuestion(documentText.contents(contents))
            : counted.status === 'error'
              ? browserMessages.deleteQuestion(browserMessages.uncounted)
              : browserMessages.deleteCounting}
        </p>
        <p className="text-ink-2">{browserMessages.deleteHint(BIN_DAYS)}</p>
      </div>
    </ConfirmDialog>
  );
}
