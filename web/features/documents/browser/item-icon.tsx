import { Folder, FolderOpen } from 'lucide-react';
import { DEFAULT_FOLDER_COLOR } from '#shared/features/documents/documents.vocabulary.ts';
import { cx } from '../../../ui/cx.ts';
import { fileKind } from '../file-kind.ts';
import { FOLDER_TEXT } from '../folder-colours.ts';
import type { Item } from '../items.ts';

/** The icon of a row: a folder in its colour, or the icon of the kind of file. */
export function ItemIcon({ item, size }: { item: Item; size: number }) {
  if (item.kind === 'discipline') {
    return <FolderOpen size={size} aria-hidden className="text-brand" />;
  }
  const { document } = item;
  if (item.kind === 'folder') {
    const colour = FOLDER_TEXT[document.folderColor ?? DEFAULT_FOLDER_COLOR];
    return <Folder size={size} aria-hidden fill="currentColor" fillOpacity={0.2} className={colour} />;
  }
  const { icon: Icon, colour } = fileKind(document);
  return <Icon size={size} aria-hidden className={colour} />;
}

/** Returns the URL of a document's thumbnail. */
export function thumbnailOf({ id, version }: { id: string; version: number }): string {
  return `/files/documents/${id}/thumbnail?v=${Math.floor(version)}`;
}

/** The picture of a card in the grid: the thumbnail of the document if it has one. */
export function ItemPicture({ item, className }: { item: Item; className?: string }) {
  const isPdf = item.kind === 'file' && item.document.fileType === 'application/pdf';
  const thumbnail =
    item.kind === 'file' && item.document.hasThumbnail ? thumbnailOf(item.document) : undefined;
  return (
    <div
      className={cx(
        'grid shrink-0 place-items-center overflow-hidden rounded-control bg-mute',
        // A white page would have no edge on a white card.
        thumbnail !== undefined && 'border border-line-2',
        className,
      )}
    >
      {thumbnail === undefined ? (
        <ItemIcon item={item} size={36} />
      ) : (
        <img
          src={thumbnail}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          // A page that does not fit is cropped at the bottom.
          className={cx('size-full object-cover', isPdf && 'object-top')}
        />
      )}
    </div>
  );
}
