import { ChevronRight, Folder, FolderOpen } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import type { DisciplineContents, DocumentPlace } from '#shared/features/documents/documents.ts';
import { DEFAULT_FOLDER_COLOR } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { useStable } from '../../../lib/use-stable.ts';
import { useLiveList } from '../../../live/hooks/use-live-list.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { documentList } from '../data/documents.live.ts';
import { folderOf, isSamePlace } from '../documents-url.ts';
import { FOLDER_TEXT } from '../folder-colours.ts';
import { disciplineItems } from '../items.ts';

const BY_NAME = { sort: 'name', direction: 'asc' } as const;

type TreeProps = {
  buildingId: string;
  /** The places that are expanded at first. */
  opened: ReadonlySet<string>;
  /** Whether the id is one of the moved documents. A folder cannot be moved into itself. */
  isMoved: (id: string) => boolean;
  /** Whether all moved documents are in the place already. */
  isTaken: (place: DocumentPlace) => boolean;
  value: DocumentPlace | undefined;
  onChange: (place: DocumentPlace) => void;
};

/**
 * The disciplines of a building and their folders, each fetched when it is expanded. They are radio buttons: the up and
 * down keys select, the right and left keys expand and collapse.
 */
export function FolderTree({
  disciplines,
  ...tree
}: TreeProps & { disciplines: readonly DisciplineContents[] | undefined }) {
  return (
    <fieldset className="max-h-[45dvh] overflow-y-auto rounded-control border border-line p-1.5">
      <legend className="sr-only">{browserMessages.moveHere}</legend>
      {disciplines === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <ul>
          {disciplineItems(disciplines, BY_NAME).map(({ id, name, place, folders }) => (
            <Node
              key={id}
              {...tree}
              name={name}
              place={place}
              mayHold={folders > 0}
              icon={<FolderOpen size={18} aria-hidden className="text-brand" />}
            />
          ))}
        </ul>
      )}
    </fieldset>
  );
}

type NodeProps = TreeProps & {
  name: string;
  place: DocumentPlace;
  /** Whether the place may contain folders. */
  mayHold: boolean;
  icon: ReactNode;
};

function Node({ name, place, mayHold, icon, ...tree }: NodeProps) {
  const [open, setOpen] = useState(tree.opened.has(folderOf(place) ?? ''));
  const expands = mayHold && !(place.at === 'folder' && tree.isMoved(place.folderId));
  const disabled = (place.at === 'folder' && tree.isMoved(place.folderId)) || tree.isTaken(place);
  const chosen = tree.value !== undefined && isSamePlace(tree.value, place);

  function onKeyDown(event: KeyboardEvent) {
    // By default left and right choose the neighbouring radio button, as up and down do.
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    setOpen(event.key === 'ArrowRight' && expands);
  }

  return (
    <li>
      <div
        className={cx(
          'flex items-center rounded-control has-focus-visible:outline-2 has-focus-visible:outline-brand has-focus-visible:-outline-offset-2',
          chosen ? 'bg-brand-soft' : !disabled && 'hover:bg-mute',
        )}
      >
        <button
          type="button"
          aria-expanded={open}
          aria-label={`Folders in ${name}`}
          disabled={!expands}
          onClick={() => setOpen(!open)}
          className="grid size-8 shrink-0 place-items-center rounded-control text-ink-2 outline-none disabled:invisible pointer-coarse:size-12"
        >
          <ChevronRight size={16} aria-hidden className={cx(open && 'rotate-90')} />
        </button>
        <label
          className={cx(
            'relative flex min-h-8 min-w-0 flex-1 items-center gap-2 pr-2 pointer-coarse:min-h-12',
            disabled ? 'text-ink-3' : 'cursor-pointer',
          )}
        >
          <input
            type="radio"
            name="move-to"
            checked={chosen}
            disabled={disabled}
            onChange={() => tree.onChange(place)}
            onKeyDown={onKeyDown}
            className="sr-only"
          />
          {icon}
          <span className="min-w-0 py-1 [overflow-wrap:anywhere]">{name}</span>
        </label>
      </div>
      {open && expands && <Children place={place} {...tree} />}
    </li>
  );
}

function Children({ place, ...tree }: TreeProps & { place: DocumentPlace }) {
  const { buildingId } = tree;
  const input = useStable({
    buildingId,
    place,
    search: '',
    expiry: 'all' as const,
    foldersOnly: true,
    ...BY_NAME,
  });
  const { rows, status, hasMore, isLoadingMore, loadMore, refetch } = useLiveList(documentList, input);
  return (
    <ul className="ml-4 border-line border-l pl-1">
      {status === 'loading' && (
        <li>
          <Skeleton className="my-1 h-7" />
        </li>
      )}
      {status === 'error' && (
        <li className="flex items-center gap-2 px-2 py-1 text-bad text-sm">
          {documentMessages.fetchFailed}
          <Button size="sm" onClick={refetch}>
            Try again
          </Button>
        </li>
      )}
      {rows.map(({ id, fileName, folderColor }) => (
        <Node
          key={id}
          {...tree}
          name={fileName}
          place={{ at: 'folder', folderId: id }}
          mayHold
          icon={
            <Folder
              size={18}
              aria-hidden
              fill="currentColor"
              fillOpacity={0.2}
              className={FOLDER_TEXT[folderColor ?? DEFAULT_FOLDER_COLOR]}
            />
          }
        />
      ))}
      {status === 'ready' && rows.length === 0 && (
        <li className="px-2 py-1 text-ink-2 text-sm">{browserMessages.noFolders}</li>
      )}
      {hasMore && (
        <li className="px-1 py-1">
          <Button size="sm" variant="quiet" disabled={isLoadingMore} onClick={loadMore}>
            Show more
          </Button>
        </li>
      )}
    </ul>
  );
}
