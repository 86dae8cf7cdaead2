import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import type { DocumentBinPage } from '#shared/features/documents/documents.ts';
import { BIN_DAYS } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { ListStates } from '../../ui/list-states.tsx';
import { ItemIcon } from './browser/item-icon.tsx';
import { documentBin } from './data/documents.live.ts';
import { documentText } from './document-text.ts';
import { documentItem } from './items.ts';

type Props = { buildingId: string; onRestore: (row: DocumentBinPage['rows'][number]) => Promise<unknown> };

/** The bin of a building, from which documents can be restored. */
export function DocumentBin({ buildingId, onRestore }: Props) {
  const list = useLiveList(
    documentBin,
    useMemo(() => ({ buildingId }), [buildingId]),
  );
  const { rows, hasMore, isLoadingMore, loadMore } = list;
  return (
    <ListStates
      list={list}
      isEmpty={rows.length === 0}
      skeleton="h-40 rounded-card"
      skeletons={1}
      failed={documentMessages.fetchFailed}
      none={{
        icon: <Trash2 size={20} />,
        title: browserMessages.binEmpty,
        text: browserMessages.binText(BIN_DAYS),
      }}
    >
      <div className="grid gap-3">
        <p className="text-ink-2">{browserMessages.binText(BIN_DAYS)}</p>
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {rows.map((row) => (
            <Deleted key={row.id} row={row} onRestore={onRestore} />
          ))}
        </ul>
        {hasMore && (
          <Button disabled={isLoadingMore} onClick={loadMore} className="justify-self-center">
            Show more
          </Button>
        )}
      </div>
    </ListStates>
  );
}

type DeletedProps = Pick<Props, 'onRestore'> & { row: DocumentBinPage['rows'][number] };

function Deleted({ row, onRestore }: DeletedProps) {
  const [busy, setBusy] = useState(false);
  const { files, folders, bytes, deletedAt, deletedByName } = row;
  // The count of folders includes the folder itself.
  const inside = row.isFolder ? { files, folders: folders - 1 } : undefined;
  const facts = [
    inside !== undefined && documentText.held(inside),
    formatFileSize(bytes, 'Bytes'),
    deletedByName !== null && `by ${deletedByName}`,
  ];
  async function restore() {
    setBusy(true);
    await onRestore(row);
    setBusy(false);
  }
  return (
    <li data-deleted={row.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <ItemIcon item={documentItem(row)} size={20} />
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">{row.fileName}</p>
        <p className="text-ink-2 text-sm">
          {deletedAt !== null && (
            <>
              Deleted <RelativeTime at={deletedAt} /> ·{' '}
            </>
          )}
          {facts.filter(Boolean).join(' · ')}
        </p>
      </div>
      <Button disabled={busy} onClick={() => void restore()} aria-label={`Restore ${row.fileName}`}>
        <ArchiveRestore size={16} aria-hidden />
        Restore
      </Button>
    </li>
  );
}
