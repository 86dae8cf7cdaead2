import { FolderX, Search } from 'lucide-react';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { browserMessages } from '#shared/features/document-browser-messages.ts';
import type { Document, DocumentPlace } from '#shared/features/documents.ts';
import { documentMessages } from '#shared/features/documents-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { CopyAge } from '../../ui/copy-age.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useSearchShortcut } from '../../ui/use-search-shortcut.ts';
import { Breadcrumb, type Crumb } from './breadcrumb.tsx';
import { type Browser, BrowserContext, type DocumentDialog } from './browser-context.ts';
import { BrowserToolbar } from './browser-toolbar.tsx';
import { DocumentBin } from './document-bin.tsx';
import { DocumentDialogs } from './document-dialogs.tsx';
import { useColumns } from './document-grid.tsx';
import { DocumentRows } from './document-rows.tsx';
import { DocumentSkeletons } from './document-skeletons.tsx';
import { AT_REST, folderOf, sortedBy } from './documents-url.ts';
import { downloadDocuments } from './download.ts';
import { disciplineName, type Item, placeOfItem } from './items.ts';
import { OpenedPreview } from './opened-preview.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useDocumentCommands } from './use-document-commands.ts';
import { useDocumentDrag } from './use-document-drag.ts';
import type { DocumentsNavigation } from './use-documents-state.ts';
import { useItemKeys } from './use-item-keys.ts';
import { isDocument, useItemSelection } from './use-item-selection.ts';
import { hasLeft, useLeaving } from './use-leaving.ts';
import { disciplineOfPlace, findDiscipline, placeAbove, useDocumentRoot, usePlace } from './use-place.ts';
import { useSettled } from './use-settled.ts';

const UploadZone = lazy(() => import('./upload/upload-zone.tsx'));

type Props = {
  buildingId: string;
  navigation: DocumentsNavigation;
  /** Whether documents may be changed here; the page of all readers shows them only (ruling S12). */
  canManage: boolean;
};

/** The documents of a building: disciplines, and in them folders and files. */
export function DocumentBrowser({ buildingId, navigation, canManage }: Props) {
  const { state, change, open, close, hrefOf } = navigation;
  const { place } = state;
  const root = useDocumentRoot(buildingId);
  const live = usePlace(buildingId, state, root);
  const contents = useSettled(live, folderOf(place));
  const { trail } = live;
  const [dialog, setDialog] = useState<DocumentDialog>();
  const [isUploading, setUploading] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useSearchShortcut(search);
  const columns = useColumns();
  const isDeep = state.search.trim() !== '' || state.expiry !== 'all';

  const { leaving, leave, comeBack } = useLeaving();
  const items = useMemo(
    () => contents.items.filter((item) => !(isDocument(item) && hasLeft(leaving, item.document))),
    [contents.items, leaving],
  );
  const hidden = contents.items.length - items.length;
  const total = contents.total === undefined ? items.length : contents.total - hidden;

  const commands = useDocumentCommands(buildingId, { leave, comeBack });
  const selection = useItemSelection(items, `${buildingId} ${folderOf(place)}`);
  const { documents: selected, clear } = selection;
  const { move, remove } = commands;
  const onMove = useCallback(
    (documents: readonly Document[], to: DocumentPlace) => {
      clear();
      void move(documents, to);
    },
    [clear, move],
  );
  const drag = useDocumentDrag({ enabled: canManage, here: isDeep ? undefined : place, onMove });

  const hrefOfPlace = useCallback((to: DocumentPlace) => hrefOf({ ...AT_REST, place: to }), [hrefOf]);
  const openItem = useCallback(
    (item: Item) => {
      const to = placeOfItem(item);
      if (to === undefined) open(item.id);
      else change({ ...AT_REST, place: to });
    },
    [open, change],
  );
  const above = placeAbove(place, trail);
  const scroller = useRef<((index: number) => void) | null>(null);
  const keys = useItemKeys({
    items,
    columns: state.view === 'grid' ? columns : 1,
    scroller,
    selected,
    canManage,
    onUp:
      above &&
      (() => {
        keys.focusNext(folderOf(place) ?? 'first');
        change({ ...AT_REST, place: above });
      }),
    onToggle: (item) => isDocument(item) && selection.toggle(item, !selection.selected.has(item.id)),
    onExtend: (item) => isDocument(item) && selection.extend(item, true),
    onSelectAll: selection.selectAll,
    onClear: clear,
    onRename: (document) => setDialog({ what: 'rename', document }),
    onDelete: (documents) => setDialog({ what: 'delete', documents }),
  });

  const disciplineId = disciplineOfPlace(place, trail);
  const discipline = disciplineId === undefined ? undefined : findDiscipline(root.value, disciplineId);
  const way = useMemo((): readonly Crumb[] | undefined => {
    if (place.at === 'building') return [];
    if (disciplineId === undefined || (place.at === 'folder' && trail === undefined)) return undefined;
    const top: DocumentPlace = { at: 'discipline', disciplineId };
    return [
      { key: 'discipline', name: discipline === undefined ? '…' : disciplineName(discipline), place: top },
      ...(trail?.folders ?? []).map(
        ({ id, fileName }): Crumb => ({ key: id, name: fileName, place: { at: 'folder', folderId: id } }),
      ),
    ];
  }, [place, trail, disciplineId, discipline]);

  const { toggle, extend, selected: selectedIds } = selection;
  const rootValue = root.value;
  const browser = useMemo(
    (): Browser => ({
      buildingId,
      canManage,
      today: rootValue?.today,
      disciplineOf: (id) => findDiscipline(rootValue, id),
      hrefOf: (item) => {
        const to = placeOfItem(item);
        return to === undefined ? hrefOf({ document: item.id }) : hrefOfPlace(to);
      },
      open: openItem,
      ask: setDialog,
      download: (documents) => void downloadDocuments(documents),
      showInPlace: isDeep
        ? ({ parentFolderId, disciplineId }) =>
            change({
              ...AT_REST,
              place:
                parentFolderId === null
                  ? { at: 'discipline', disciplineId }
                  : { at: 'folder', folderId: parentFolderId },
            })
        : undefined,
      toggle,
      extend,
      selected: selectedIds,
      chosenWith: (item) => (selectedIds.has(item.id) ? selected : [item.document]),
      drag,
    }),
    [
      buildingId,
      canManage,
      rootValue,
      hrefOf,
      hrefOfPlace,
      openItem,
      isDeep,
      change,
      toggle,
      extend,
      selectedIds,
      selected,
      drag,
    ],
  );
  const uploadTargets = useMemo(
    () =>
      (rootValue?.disciplines ?? []).flatMap(({ disciplineId: id, name, isActive }) =>
        id !== null && name !== null && isActive ? { id, name } : [],
      ),
    [rootValue],
  );
  const isBin = canManage && state.bin;
  const names = (way ?? []).map(({ name }) => name);

  return (
    <BrowserContext value={browser}>
      <BrowserToolbar
        state={state}
        change={change}
        searchRef={search}
        manage={
          canManage
            ? {
                isUploading,
                onUpload: () => setUploading(!isUploading),
                onNewFolder: () => setDialog({ what: 'newFolder' }),
              }
            : undefined
        }
      />
      <div className="mt-3 mb-2.5 flex min-h-8 flex-wrap items-center justify-between gap-x-4">
        <Breadcrumb way={way} hrefOf={hrefOfPlace} />
        {!isBin && contents.status === 'ready' && (
          <p role="status" className="text-ink-2 text-sm tabular-nums">
            {browserMessages.count(total)}
          </p>
        )}
      </div>
      {canManage && isUploading && !isBin && (
        <div className="mb-3">
          <Suspense fallback={<Skeleton className="h-44 rounded-card" />}>
            <UploadZone buildingId={buildingId} place={place} disciplines={uploadTargets} />
          </Suspense>
        </div>
      )}
      <CopyAge keptAt={contents.keptAt} />
      {isBin ? (
        <DocumentBin buildingId={buildingId} onRestore={commands.restore} />
      ) : contents.status === 'error' ? (
        <NotFetched
          error={contents.error}
          onRetry={contents.refetch}
          rootHref={hrefOfPlace({ at: 'building' })}
        />
      ) : contents.status === 'loading' ? (
        <DocumentSkeletons view={state.view} columns={columns} />
      ) : items.length === 0 ? (
        <Nothing onClear={isDeep ? () => change({ search: '', expiry: 'all' }) : undefined} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys of all rows, which are links
        <div
          ref={keys.root}
          onKeyDown={keys.onKeyDown}
          onFocus={keys.onFocus}
          onBlur={keys.onBlur}
          aria-busy={contents !== live}
        >
          <DocumentRows
            view={state.view}
            items={items}
            total={total}
            columns={columns}
            order={state}
            onSort={(sort) => change(sortedBy(state, sort))}
            more={contents.more}
            scroller={scroller}
          />
        </div>
      )}
      {!isBin && selected.length > 0 && <SelectionBar documents={selected} onClear={clear} />}
      {state.document !== null && (
        <OpenedPreview
          id={state.document}
          items={items}
          onMove={(document) => change({ document }, { replace: true })}
          onClose={close}
        />
      )}
      <DocumentDialogs
        dialog={dialog}
        items={contents.items}
        here={{ place, trail, names, discipline }}
        onMove={onMove}
        onRemove={(documents) => {
          clear();
          void remove(documents);
        }}
        onClose={() => setDialog(undefined)}
      />
    </BrowserContext>
  );
}

function NotFetched({ error, onRetry, rootHref }: { error: unknown; onRetry: () => void; rootHref: string }) {
  if (wireErrorOf(error)?.code === 'not_found') {
    return (
      <EmptyState
        icon={<FolderX size={20} />}
        title={documentMessages.folderGone}
        text={browserMessages.folderGoneText}
        action={<ButtonLink to={rootHref}>{documentMessages.root}</ButtonLink>}
      />
    );
  }
  return (
    <ErrorState
      title={documentMessages.fetchFailed}
      text={messageFor(error, messages.common.notReached)}
      error={error}
      onRetry={onRetry}
    />
  );
}

/** Nothing to show: the sentence of the specification, and what helps. */
function Nothing({ onClear }: { onClear: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={onClear === undefined ? <FolderX size={20} /> : <Search size={20} />}
      title={documentMessages.none}
      text={onClear === undefined ? browserMessages.emptyFolder : browserMessages.noneMatch}
      action={onClear !== undefined && <Button onClick={onClear}>Clear Filters</Button>}
    />
  );
}
