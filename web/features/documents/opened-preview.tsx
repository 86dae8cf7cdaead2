import { lazy, Suspense, useMemo, useState } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import type { Document } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { tell } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useBrowser } from './browser/browser-context.ts';
import { isDocument } from './browser/use-item-selection.ts';
import { oneDocument } from './data/documents.live.ts';
import { requestLink } from './download.ts';
import { disciplineName, type Item } from './items.ts';

const DocumentPreview = lazy(() => import('./preview/document-preview.tsx'));

type Props = {
  id: string;
  items: readonly Item[];
  /** Opens the preview of another file of the list. */
  onMove: (id: string) => void;
  onClose: () => void;
};

/** The preview of the file named in the URL, with buttons to its neighbours in the list. */
export function OpenedPreview({ id, items, onMove, onClose }: Props) {
  const { canManage, today, disciplineOf } = useBrowser();
  const { mutate } = useLiveMutation();
  const files = useMemo(() => items.filter(isDocument).filter(({ kind }) => kind === 'file'), [items]);
  const at = files.findIndex((item) => item.id === id);
  const listed: Document | undefined = files[at]?.document;
  // A link may lead to a file that is not among the loaded rows.
  const asked = useLiveQuery(
    oneDocument,
    useMemo(() => ({ id }), [id]),
    { enabled: listed === undefined },
  );
  const found = listed ?? asked.data?.document;
  // The server no longer returns a document deleted with its folder. The last known state keeps the preview open, which
  // then shows that the document is deleted.
  const [seen, setSeen] = useState(found);
  if (found !== undefined && found !== seen) setSeen(found);
  const document = found ?? (seen?.id === id ? seen : undefined);
  if (document === undefined) {
    return wireErrorOf(asked.error)?.code === 'not_found' ? <GoneDocument onClose={onClose} /> : null;
  }
  if (document.isFolder) return null;
  const discipline = disciplineOf(document.disciplineId);
  const neighbour = (index: number) => {
    const other = at === -1 ? undefined : files[index];
    return other === undefined ? undefined : () => onMove(other.id);
  };
  const makeCurrent = (of: string, versionId: string) =>
    tell(
      mutate({
        input: { id: of, versionId },
        send: (input, { signal }) => api.documents.makeCurrent.mutate(input, { signal }),
      }),
      {
        about: document.fileName,
        success: browserMessages.madeCurrent,
        failure: browserMessages.makeCurrentFailed,
      },
    );
  return (
    <Suspense fallback={null}>
      <DocumentPreview
        document={document}
        requestLink={requestLink}
        makeCurrent={canManage && document.proof === null ? makeCurrent : undefined}
        discipline={discipline && disciplineName(discipline)}
        today={today}
        onClose={onClose}
        onPrevious={neighbour(at - 1)}
        onNext={neighbour(at + 1)}
      />
    </Suspense>
  );
}

/** Message for a URL with a document that has been deleted, or that the person may not see. */
function GoneDocument({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={previewMessages.title}>
      <p role="alert">{documentMessages.gone}</p>
    </Dialog>
  );
}
